package dev.penstock.http.servlet;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.http.ResponseBody;
import dev.penstock.http.servlet.RawClient.Reply;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Responses that go out piece by piece are the same wherever handlers run. */
@Timeout(180)
@ParameterizedClass
@MethodSource("dev.penstock.http.servlet.Container#each")
final class ContainerResponsesConformanceTest extends ContainerFixture {
    ContainerResponsesConformanceTest(Container container) {
        super(container);
    }

    @Test
    void body_largerThanAllBuffersToASlowReader_comesWholeAndWaitsForIt() throws Exception {
        int size = 20_000_000;
        AtomicLong written = new AtomicLong();
        Running at =
                start(b ->
                        b.get(
                                "/",
                                x -> {
                                    ResponseBody body = x.body("application/x");
                                    ByteBuffer block = ByteBuffer.allocate(1000);
                                    for (int i = 0; i < size / 1000; i++) {
                                        Arrays.fill(block.array(), (byte) i);
                                        body.write(block.clear());
                                        written.addAndGet(1000);
                                    }
                                }));
        try (RawClient raw = new RawClient(at.port(), 64 * 1024)) {
            raw.get("/");
            assertThat(raw.head().header("Transfer-Encoding")).contains("chunked");
            long before = -1;
            while (written.get() != before || before < 1000) {
                before = written.get();
                LockSupport.parkNanos(100_000_000);
            }
            // What the kernel takes for itself is all that goes ahead.
            assertThat(before).isLessThan(12_000_000);
            long received = 0;
            for (byte[] chunk = raw.chunk(); chunk.length > 0; chunk = raw.chunk()) {
                for (byte b : chunk) {
                    if (b != (byte) (received++ / 1000)) {
                        throw new AssertionError("Wrong byte at " + (received - 1));
                    }
                }
            }
            assertThat(received).isEqualTo(size);
        }
    }

    @Test
    void bodies_manyAtOnce_comeWhole() throws Exception {
        Running at =
                start(b ->
                        b.get(
                                "/{n}",
                                x -> {
                                    ResponseBody body = x.body("application/x");
                                    byte[] block = new byte[777];
                                    Arrays.fill(
                                            block, (byte) Integer.parseInt(x.pathParameter("n")));
                                    for (int i = 0; i < 1000; i++) {
                                        body.write(ByteBuffer.wrap(block));
                                        if (i % 100 == 0) {
                                            body.flush();
                                        }
                                    }
                                }));
        List<CompletableFuture<HttpResponse<byte[]>>> all = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            all.add(
                    client.sendAsync(
                            HttpRequest.newBuilder(URI.create(at.url("/" + i))).build(),
                            BodyHandlers.ofByteArray()));
        }
        for (int i = 0; i < 64; i++) {
            byte[] expected = new byte[777_000];
            Arrays.fill(expected, (byte) i);
            assertThat(all.get(i).get().body()).isEqualTo(expected);
        }
    }

    @Test
    void flush_inTheMiddle_bringsOutWhatWasWritten() throws Exception {
        CountDownLatch seen = new CountDownLatch(1);
        Running at =
                start(b ->
                        b.get(
                                "/",
                                x -> {
                                    ResponseBody body = x.body("text/plain");
                                    body.write(UTF_8.encode("one"));
                                    body.flush();
                                    assertThat(seen.await(60, TimeUnit.SECONDS)).isTrue();
                                    body.write(UTF_8.encode("two"));
                                }));
        try (RawClient raw = new RawClient(at.port())) {
            raw.get("/").head();
            assertThat(new String(raw.chunk(), UTF_8)).isEqualTo("one");
            seen.countDown();
            assertThat(new String(raw.chunk(), UTF_8)).isEqualTo("two");
            assertThat(raw.chunk()).isEmpty();
        }
    }

    @Test
    void failure_inTheMiddle_breaksTheResponseOff() throws Exception {
        Running at =
                start(b ->
                        b.get(
                                "/{bytes}",
                                x -> {
                                    ResponseBody body = x.body("text/plain");
                                    int count = Integer.parseInt(x.pathParameter("bytes"));
                                    body.write(ByteBuffer.wrap(new byte[count]));
                                    body.flush();
                                    throw new IllegalStateException("in the middle");
                                }));
        for (int bytes : new int[] {1, 40_000, 3_000_000}) {
            try (RawClient raw = new RawClient(at.port())) {
                raw.get("/" + bytes);
                assertThat(isHonest(raw::reply)).as("%d bytes", bytes).isTrue();
            }
            assertThatThrownBy(() -> checked(get(at, "/" + bytes))).isInstanceOf(IOException.class);
        }
        try (RawClient raw = new RawClient(at.port())) {
            assertThat(raw.get("/no/such").reply().status()).isEqualTo(404);
        }
    }

    /** A container that has not sent the head yet may still answer with an error. */
    private static boolean isHonest(Callable<Reply> reply) throws Exception {
        try {
            return reply.call().status() == 500;
        } catch (IOException _) {
            return true;
        }
    }

    private static void checked(HttpResponse<String> response) throws IOException {
        if (response.statusCode() == 500) {
            throw new IOException("an error before the head was sent");
        }
    }

    @Test
    void length_thatTheHandlerDoesNotKeep_breaksTheResponseOff() throws Exception {
        Running at =
                start(b ->
                        b.get(
                                "/",
                                x -> {
                                    x.header("Content-Length", "50000");
                                    x.body("text/plain").write(ByteBuffer.wrap(new byte[40_000]));
                                }));
        try (RawClient raw = new RawClient(at.port())) {
            raw.get("/");
            assertThat(isHonest(raw::reply)).isTrue();
        }
    }

    @Test
    void client_thatLeavesInTheMiddle_endsTheHandlerAndIsTold() throws Exception {
        CountDownLatch told = new CountDownLatch(1);
        CountDownLatch failed = new CountDownLatch(1);
        Running at =
                start(b ->
                        b.get(
                                "/",
                                x -> {
                                    x.onDisconnect(told::countDown);
                                    try {
                                        endless(x.body("text/plain"));
                                    } finally {
                                        failed.countDown();
                                    }
                                }));
        RawClient raw = new RawClient(at.port());
        raw.get("/").head();
        raw.abort();
        assertThat(told.await(15, TimeUnit.SECONDS)).isTrue();
        assertThat(failed.await(15, TimeUnit.SECONDS)).isTrue();
    }
}
