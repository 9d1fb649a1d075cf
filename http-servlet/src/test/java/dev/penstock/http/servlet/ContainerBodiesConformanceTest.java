package dev.penstock.http.servlet;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.HttpException;
import dev.penstock.http.server.ServerBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.channels.Channels;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies of requests are the same wherever handlers run. */
@Timeout(60)
@ParameterizedClass
@MethodSource("dev.penstock.http.servlet.Container#each")
final class ContainerBodiesConformanceTest extends ContainerFixture {
    ContainerBodiesConformanceTest(Container container) {
        super(container);
    }

    private static ServerBuilder bodies(ServerBuilder b) {
        return b.maxBody(6_000_000)
                .route(
                        "POST",
                        "/echo",
                        x -> {
                            InputStream in = Channels.newInputStream(x.requestBody());
                            x.respond(200, "application/x", in.readAllBytes());
                        })
                .route(
                        "POST",
                        "/count",
                        x -> {
                            AtomicLong count = new AtomicLong();
                            x.suspend(LONG)
                                    .onBody(
                                            chunk -> count.addAndGet(chunk.remaining()),
                                            y -> y.respond(200, "a/b", count.toString()));
                        })
                .route(
                        "POST",
                        "/part",
                        x -> {
                            int first = Channels.newInputStream(x.requestBody()).read();
                            x.respond(200, "a/b", first < 0 ? "none" : "ignored");
                        })
                .route("POST", "/ignore", x -> x.respond(200, "a/b", "ignored"));
    }

    private HttpResponse<byte[]> post(Running at, String path, byte[] body, boolean chunked)
            throws Exception {
        HttpRequest.BodyPublisher publisher = BodyPublishers.ofByteArray(body);
        return client.send(
                HttpRequest.newBuilder(URI.create(at.url(path)))
                        .POST(chunked ? BodyPublishers.fromPublisher(publisher) : publisher)
                        .build(),
                BodyHandlers.ofByteArray());
    }

    @Test
    void body_readByAHandlerOrTakenByCallback_comesWhole() throws Exception {
        Running at = start(ContainerBodiesConformanceTest::bodies);
        byte[] large = new byte[5_000_000];
        for (int i = 0; i < large.length; i++) {
            large[i] = (byte) ((i * 31) >> 3);
        }
        for (boolean chunked : new boolean[] {false, true}) {
            assertThat(post(at, "/echo", large, chunked).body()).isEqualTo(large);
            assertThat(post(at, "/echo", new byte[] {7}, chunked).body()).containsExactly(7);
            assertThat(post(at, "/echo", new byte[0], chunked).body()).isEmpty();
            assertThat(new String(post(at, "/count", large, chunked).body(), UTF_8))
                    .isEqualTo("5000000");
            assertThat(new String(post(at, "/count", new byte[0], chunked).body(), UTF_8))
                    .isEqualTo("0");
            try (RawClient raw = new RawClient(at.port())) {
                raw.send(
                        "POST /ignore HTTP/1.1\r\nHost: x\r\n"
                                + (chunked
                                        ? "Transfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n"
                                        : "Content-Length: 4\r\n\r\nbody"));
                assertThat(raw.reply().body()).isEqualTo("ignored");
            }
        }
    }

    /** A conversation that succeeds on a machine that is not busy. */
    private interface Conversation {
        void hold(RawClient raw) throws IOException;
    }

    /** Holds it once more where it has failed, and has taken so long that the server need not wait any more. */
    private static void hold(Running at, Conversation conversation) throws IOException {
        for (int attempt = 0; ; attempt++) {
            long begun = System.nanoTime();
            try (RawClient raw = new RawClient(at.port())) {
                conversation.hold(raw);
                return;
            } catch (IOException closed) {
                if (attempt == 20 || System.nanoTime() - begun < 400_000_000) {
                    throw closed;
                }
            }
        }
    }

    /** Else a client that is just sending the rest would fail by that, and lose the response. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/ignore|Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n|4\r\nrest\r\n0\r\n\r\n",
                "/ignore|Content-Length: 8\r\n\r\nhalf|rest"
            })
    void body_whoseRestComesAfterTheResponse_isTaken(String request) throws Exception {
        Running at = start(ContainerBodiesConformanceTest::bodies);
        String[] parts = request.split("\\|", -1);
        for (int i = 0; i < 10; i++) {
            hold(
                    at,
                    raw -> {
                        raw.send("POST " + parts[0] + " HTTP/1.1\r\nHost: x\r\n" + parts[1]);
                        RawClient.Reply reply = raw.reply();
                        assertThat(reply.body()).isEqualTo("ignored");
                        raw.send(parts[2]);
                        if (container == Container.OWN && reply.header("Connection").isPresent()) {
                            // It says so before a body of unknown length, and closes when the
                            // client does.
                            assertThat(raw.input().read()).isEqualTo(-1);
                        } else {
                            assertAnswers(raw);
                        }
                    });
        }
    }

    private static void assertAnswers(RawClient raw) throws IOException {
        raw.send("POST /ignore HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n");
        assertThat(raw.reply().body()).isEqualTo("ignored");
    }

    /** A route that takes 1,000 bytes refuses more; the client is still sending when it is answered. */
    @Test
    void body_beyondTheLimitOfItsRoute_isTakenAfterTheRefusal() throws Exception {
        Running at =
                start(b ->
                        b.maxBody(1000)
                                .route("POST", "/ignore", x -> x.respond(200, "a/b", "ignored")));
        for (int i = 0; i < 10; i++) {
            hold(
                    at,
                    raw -> {
                        raw.send(
                                "POST /ignore HTTP/1.1\r\nHost: x\r\nContent-Length: 40000\r\n\r\n");
                        RawClient.Reply reply = raw.reply();
                        assertThat(reply.status()).isEqualTo(413);
                        if (container == Container.TOMCAT) {
                            // It closes the connection after some statuses, this one too.
                            return;
                        }
                        for (int part = 0; part < 40; part++) {
                            raw.send(new byte[1000]);
                        }
                        if (container == Container.OWN && reply.header("Connection").isPresent()) {
                            assertThat(raw.input().read()).isEqualTo(-1);
                        } else {
                            assertAnswers(raw);
                        }
                    });
        }
    }

    /** Clients that leave at any moment; that nothing is counted twice, or left, is asserted after each test. */
    @ParameterizedTest
    @ValueSource(strings = {"/ignore", "/part"})
    void body_whoseClientLeaves_isForgotten(String path) throws Exception {
        Running at = start(ContainerBodiesConformanceTest::bodies);
        for (int i = 0; i < 60; i++) {
            try (RawClient raw = new RawClient(at.port())) {
                raw.send(
                        "POST "
                                + path
                                + " HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n");
                if (i % 3 > 0) {
                    assertThat(raw.reply().body()).isEqualTo("ignored");
                }
                if (i % 3 > 1) {
                    raw.send("4\r\nrest\r\n0\r\n\r\n");
                }
            }
        }
        await(() -> at.server().connections() == 0);
        assertThat(get(at, "/").statusCode()).isEqualTo(404);
    }

    /** A client that sends nothing more must not keep others from their turn. */
    @Test
    void body_whoseRestNeverComes_isWaitedForHalfASecondWithoutAPermit() throws Exception {
        Running at = start(ContainerBodiesConformanceTest::bodies);
        for (String framing : List.of("Transfer-Encoding: chunked", "Content-Length: 8")) {
            boolean waitsWithout = container == Container.OWN;
            for (int attempt = 0; attempt < 20 && !waitsWithout; attempt++) {
                try (RawClient raw = new RawClient(at.port())) {
                    long begun = System.nanoTime();
                    raw.send("POST /ignore HTTP/1.1\r\nHost: x\r\n" + framing + "\r\n\r\n");
                    assertThat(raw.reply().body()).isEqualTo("ignored");
                    await(() -> at.server().admission().runningNow() == 0);
                    waitsWithout = at.server().connections() == 1;
                    await(() -> at.server().connections() == 0);
                    assertThat(Duration.ofNanos(System.nanoTime() - begun))
                            .isGreaterThan(Duration.ofMillis(500));
                }
            }
            assertThat(waitsWithout).as(framing).isTrue();
        }
    }

    /** Nobody has asked the client for it, so that it is not waited for; nor where it is too large. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "POST /ignore HTTP/1.1\r\nContent-Length: 8\r\nExpect: 100-continue",
                "POST /ignore HTTP/1.1\r\nContent-Length: 99999",
                "GET / HTTP/1.1"
            })
    void body_thatIsNotToCome_isNotWaitedFor(String head) throws Exception {
        Running at = start(ContainerBodiesConformanceTest::bodies);
        boolean isSoon = false;
        for (int attempt = 0; attempt < 20 && !isSoon; attempt++) {
            try (RawClient raw = new RawClient(at.port())) {
                long begun = System.nanoTime();
                raw.send(head + "\r\nHost: x\r\n\r\n");
                RawClient.Reply reply = raw.head();
                assertThat((reply.status() == 100 ? raw.head() : reply).status()).isIn(200, 404);
                await(() -> at.server().connections() == 0 || container == Container.OWN);
                isSoon = System.nanoTime() - begun < 300_000_000;
            }
        }
        assertThat(isSoon).isTrue();
    }

    @Test
    void bodies_manyAtOnce_areEchoedWhole() throws Exception {
        Running at = start(ContainerBodiesConformanceTest::bodies);
        List<CompletableFuture<HttpResponse<byte[]>>> all = new ArrayList<>();
        List<byte[]> sent = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            byte[] body = new byte[300_000 + i * 1000];
            Arrays.fill(body, (byte) i);
            sent.add(body);
            all.add(
                    client.sendAsync(
                            HttpRequest.newBuilder(URI.create(at.url("/echo")))
                                    .POST(BodyPublishers.ofByteArray(body))
                                    .build(),
                            BodyHandlers.ofByteArray()));
        }
        for (int i = 0; i < all.size(); i++) {
            assertThat(all.get(i).get().body()).isEqualTo(sent.get(i));
        }
    }

    @Test
    void body_beyondTheLimit_is413() throws Exception {
        Running at = start(ContainerBodiesConformanceTest::bodies);
        for (String path : List.of("/echo", "/count")) {
            try (RawClient raw = new RawClient(at.port())) {
                raw.send(
                        "POST " + path + " HTTP/1.1\r\nHost: x\r\nContent-Length: 6000001\r\n\r\n");
                assertThat(raw.reply().status()).as(path).isEqualTo(413);
            }
        }
        try (RawClient raw = new RawClient(at.port())) {
            raw.send(
                    "POST /count HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5b8d81\r\n");
            try {
                raw.send(new byte[6_000_001]);
            } catch (SocketException answeredBefore) {
                // What was answered is asserted below.
            }
            assertThat(raw.reply().status()).isEqualTo(413);
        }
    }

    @Test
    void body_thatTheHandlerReadsSlowly_isHeldBack() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        Running at =
                start(b ->
                        b.maxBody(100_000_000)
                                .route(
                                        "POST",
                                        "/",
                                        x -> {
                                            InputStream in =
                                                    Channels.newInputStream(x.requestBody());
                                            int first = in.read();
                                            go.await();
                                            long count = first < 0 ? 0 : 1;
                                            byte[] block = new byte[100_000];
                                            for (int n = in.read(block);
                                                    n >= 0;
                                                    n = in.read(block)) {
                                                count += n;
                                            }
                                            x.respond(200, "a/b", Long.toString(count));
                                        }));
        AtomicLong sent = new AtomicLong();
        try (RawClient raw = new RawClient(at.port())) {
            raw.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 50000000\r\n\r\n");
            Thread sender =
                    Thread.startVirtualThread(() -> {
                        try {
                            for (int i = 0; i < 500; i++) {
                                raw.send(new byte[100_000]);
                                sent.addAndGet(100_000);
                            }
                        } catch (IOException failure) {
                            throw new IllegalStateException(failure);
                        }
                    });
            long before = -1;
            while (sent.get() != before || before == 0) {
                before = sent.get();
                LockSupport.parkNanos(100_000_000);
            }
            assertThat(before).isLessThan(20_000_000);
            go.countDown();
            // The client waits for a line of the reply for 20 s alone.
            sender.join();
            assertThat(raw.reply().body()).isEqualTo("50000000");
        }
    }

    @Test
    void body_cutOffByTheClient_failsTheHandler() throws Exception {
        CompletableFuture<Throwable> failure = new CompletableFuture<>();
        Running at =
                start(b ->
                        b.route(
                                "POST",
                                "/",
                                x -> {
                                    try {
                                        Channels.newInputStream(x.requestBody()).readAllBytes();
                                        failure.complete(null);
                                    } catch (IOException | HttpException cut) {
                                        failure.complete(cut);
                                    }
                                }));
        try (RawClient raw = new RawClient(at.port())) {
            raw.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\nhalf");
        }
        assertThat(failure.get(20, TimeUnit.SECONDS)).isNotNull();
    }
}
