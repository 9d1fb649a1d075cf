package dev.penstock.http.response;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.ContentCoder;
import dev.penstock.http.FinishedRequest;
import dev.penstock.http.ResponseBody;
import dev.penstock.http.server.RawClient;
import dev.penstock.http.server.RawClient.Reply;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerFixture;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Codings of responses beside gzip: which is chosen, and that their encoders are bounded and closed. */
@Tag("any-loops")
final class ContentCodersIT extends ServerFixture {
    private static final int BYTES = 1000;
    private static final String TEXT = "a row of text, ".repeat(20_000);

    private final AtomicInteger open = new AtomicInteger();

    /** A coding that leaves out every other byte. */
    private final class Halves implements ContentCoder {
        private final String name;

        Halves(String name) {
            this.name = name;
        }

        @Override
        public String coding() {
            return name;
        }

        @Override
        public int encoderBytes() {
            return BYTES;
        }

        @Override
        public Encoder open() {
            open.incrementAndGet();
            return new Encoder() {
                private boolean closed;

                @Override
                public void write(ByteBuffer source, Output output) throws IOException {
                    assertThat(source.remaining()).isBetween(1, 32 * 1024);
                    byte[] half = new byte[(source.remaining() + 1) / 2];
                    for (int i = 0; source.hasRemaining(); i++) {
                        byte next = source.get();
                        half[i / 2] = i % 2 == 0 ? next : half[i / 2];
                    }
                    output.put(ByteBuffer.wrap(half));
                }

                @Override
                public void flush(Output output) {}

                @Override
                public void finish(Output output) throws IOException {
                    output.put(ByteBuffer.wrap(new byte[] {'.'}));
                }

                @Override
                public void close() {
                    if (!closed) {
                        closed = true;
                        open.decrementAndGet();
                    }
                }
            };
        }
    }

    private static Reply get(Server server, String path, String accept) throws IOException {
        try (RawClient client = new RawClient(server.port())) {
            client.send("GET " + path + " HTTP/1.1\r\nHost: x\r\nAccept-Encoding: " + accept);
            return client.send("\r\n\r\n").reply();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    one, two, gzip              | one
                    gzip, two, one              | one
                    gzip, two                   | two
                    two, one;q=0.9              | two
                    gzip, one;q=0.9             | gzip
                    one;q=0.5, gzip;q=0.4       | one
                    one;q=0, gzip               | gzip
                    one;q=0, *                  | gzip
                    one;q=0.5, identity         | none
                    one;q=0.5, identity;q=0.4   | one
                    *                           | gzip
                    *, two                      | two
                    three                       | none
                    ONE                         | one
                    """)
    void response_forWhatAClientAccepts_hasTheBestCoding(String accept, String coding)
            throws Exception {
        Server server =
                start(b ->
                        b.contentCoders(List.of(new Halves("one"), new Halves("two")))
                                .get("/", x -> x.respond(200, "text/plain", TEXT))
                                .get("/small", x -> x.respond(200, "text/csv", "1,".repeat(800))));
        for (String path : new String[] {"/", "/small"}) {
            Reply reply = get(server, path, accept);
            assertThat(reply.header("Content-Encoding").orElse("none")).isEqualTo(coding);
            assertThat(reply.header("Vary")).contains("Accept-Encoding");
            boolean isHalf = coding.length() == 3;
            if (isHalf && path.equals("/small")) {
                assertThat(reply.text()).isEqualTo("1".repeat(800) + ".");
                assertThat(reply.header("Content-Length")).contains("801");
            } else if (isHalf) {
                assertThat(reply.text()).endsWith(".").hasSizeBetween(150_000, 150_200);
            }
        }
        assertThat(open.get()).isZero();
    }

    @Test
    void encoders_beyondTheirMemory_leaveTheRestToGzip() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        Server server =
                start(b ->
                        b.contentCoders(List.of(new Halves("one")))
                                .maxEncoderMemory(2 * BYTES)
                                .get(
                                        "/",
                                        x -> {
                                            ResponseBody body = x.body("text/plain");
                                            body.write(ByteBuffer.wrap(TEXT.getBytes(UTF_8)));
                                            body.flush();
                                            go.await();
                                        }));
        List<RawClient> clients = new ArrayList<>();
        try {
            List<String> codings = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                RawClient client = new RawClient(server.port());
                clients.add(client);
                client.send("GET / HTTP/1.1\r\nHost: x\r\nAccept-Encoding: one, gzip\r\n\r\n");
                codings.add(client.head().header("Content-Encoding").orElse("none"));
            }
            assertThat(codings).containsExactly("one", "one", "gzip", "gzip");
            assertThat(context(server).coders().usedBytes()).isEqualTo(2 * BYTES);
            go.countDown();
            await("closed", () -> open.get() == 0);
            await("given back", () -> context(server).coders().usedBytes() == 0);
            assertThat(get(server, "/", "one, gzip").header("Content-Encoding")).contains("one");
        } finally {
            go.countDown();
            for (RawClient client : clients) {
                client.close();
            }
        }
    }

    /** A failure, a client that leaves, a wait that times out, in the middle of a response. */
    @Test
    void encoders_ofResponsesThatDoNotEnd_areClosed() throws Exception {
        Server server =
                start(b ->
                        b.contentCoders(List.of(new Halves("one")))
                                .get(
                                        "/fails",
                                        x -> {
                                            begin(x.body("text/plain"));
                                            throw new IllegalStateException("a test's failure");
                                        })
                                .get(
                                        "/endless",
                                        x -> {
                                            ResponseBody body = x.body("text/plain");
                                            while (true) {
                                                begin(body);
                                            }
                                        })
                                .get(
                                        "/waits",
                                        x -> {
                                            begin(x.body("text/plain"));
                                            x.suspend(Duration.ofMinutes(1));
                                        }));
        for (String path : new String[] {"/fails", "/endless", "/waits"}) {
            try (RawClient client = new RawClient(server.port())) {
                client.send("GET " + path + " HTTP/1.1\r\nHost: x\r\nAccept-Encoding: one\r\n\r\n");
                assertThat(client.head().header("Content-Encoding")).contains("one");
            }
        }
        await("closed", () -> open.get() == 0 && context(server).coders().usedBytes() == 0);
    }

    private static void begin(ResponseBody body) throws IOException {
        body.write(ByteBuffer.wrap(TEXT.getBytes(UTF_8)));
        body.flush();
    }

    @Test
    void encoder_thatCannotBeClosed_keepsItsRequestFromNothing() throws Exception {
        CompletableFuture<FinishedRequest> finished = new CompletableFuture<>();
        ContentCoder good = new Halves("one");
        ContentCoder bad =
                new ContentCoder() {
                    @Override
                    public String coding() {
                        return good.coding();
                    }

                    @Override
                    public int encoderBytes() {
                        return BYTES;
                    }

                    @Override
                    public Encoder open() {
                        return new Unclosable(good.open());
                    }
                };
        Server server =
                start(b ->
                        b.contentCoders(List.of(bad))
                                .onFinished(finished::complete)
                                .get(
                                        "/",
                                        x -> {
                                            begin(x.body("text/plain"));
                                            var _ = x.suspend(Duration.ofMinutes(1));
                                        }));
        try (RawClient client = new RawClient(server.port())) {
            client.send("GET / HTTP/1.1\r\nHost: x\r\nAccept-Encoding: one\r\n\r\n");
            assertThat(client.head().status()).isEqualTo(200);
            await("waits", () -> server.waiting() == 1);
        }
        assertThat(finished.get(40, TimeUnit.SECONDS).status()).isEqualTo(200);
        assertThat(open).hasValue(0);
    }

    /** An encoder that fails at its end. */
    private record Unclosable(ContentCoder.Encoder encoder) implements ContentCoder.Encoder {
        @Override
        public void write(ByteBuffer source, ContentCoder.Output output) throws IOException {
            encoder.write(source, output);
        }

        @Override
        public void flush(ContentCoder.Output output) throws IOException {
            encoder.flush(output);
        }

        @Override
        public void finish(ContentCoder.Output output) throws IOException {
            encoder.finish(output);
        }

        @Override
        public void close() {
            encoder.close();
            throw new IllegalStateException("on purpose");
        }
    }

    @Test
    void coder_thatIsNotAvailable_isNotOffered() throws Exception {
        ContentCoder missing =
                new ContentCoder() {
                    @Override
                    public String coding() {
                        return "one";
                    }

                    @Override
                    public boolean isAvailable() {
                        return false;
                    }

                    @Override
                    public int encoderBytes() {
                        return BYTES;
                    }

                    @Override
                    public Encoder open() {
                        throw new IllegalStateException("not available");
                    }
                };
        Server server =
                start(b ->
                        b.contentCoders(List.of(missing))
                                .get("/", x -> x.respond(200, "text/plain", TEXT)));
        assertThat(get(server, "/", "one, gzip").header("Content-Encoding")).contains("gzip");
    }
}
