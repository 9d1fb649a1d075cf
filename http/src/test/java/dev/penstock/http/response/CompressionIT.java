package dev.penstock.http.response;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.Exchange;
import dev.penstock.http.Handler;
import dev.penstock.http.ResponseBody;
import dev.penstock.http.server.Bodies;
import dev.penstock.http.server.Chunks;
import dev.penstock.http.server.CompressibleBodies;
import dev.penstock.http.server.Protocol;
import dev.penstock.http.server.RawClient;
import dev.penstock.http.server.RawClient.Reply;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerFixture;
import dev.penstock.http.server.TestClient;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Gzip while streaming. */
@Tag("any-loops")
final class CompressionIT extends ServerFixture {

    private Server server() {
        return start(b ->
                b.get("/tiny", x -> x.respond(200, "text/plain", "tiny"))
                        .get(
                                "/small",
                                x -> x.respond(200, "text/plain", CompressibleBodies.text(5000)))
                        .get(
                                "/image",
                                x -> x.respond(200, "image/png", CompressibleBodies.text(5000)))
                        .get(
                                "/noise",
                                x -> x.respond(200, "text/plain", CompressibleBodies.noise(20_000)))
                        .get("/large", x -> x.respond(200, "text/html", CompressibleBodies.LARGE))
                        .get("/rows", CompressibleBodies::writePieces)
                        .get("/flushed", CompressionIT::flushed));
    }

    private static void flushed(Exchange exchange) throws Exception {
        ResponseBody body = exchange.body("text/plain");
        body.write(ByteBuffer.wrap("first".getBytes(StandardCharsets.US_ASCII)));
        body.flush();
        // Returns when the client, which waits for that, has gone.
        Bodies.endless(body);
    }

    private static Reply get(Server server, String path, String accept) throws Exception {
        try (RawClient client = new RawClient(server.port())) {
            client.send("GET " + path + " HTTP/1.1\r\nHost: x\r\nAccept-Encoding: " + accept);
            return client.send("\r\n\r\n").reply();
        }
    }

    private static byte[] inflate(byte[] bytes) throws IOException {
        return new GZIPInputStream(new ByteArrayInputStream(bytes)).readAllBytes();
    }

    @Test
    void response_toAClientThatAcceptsGzip_isCompressedAndVaries() throws Exception {
        Server server = server();
        Reply small = get(server, "/small", "deflate, gzip;q=0.5");
        assertThat(small.header("Content-Encoding")).contains("gzip");
        assertThat(small.header("Vary")).contains("Accept-Encoding");
        assertThat(small.header("Content-Length")).contains("" + small.body().length);
        assertThat(inflate(small.body())).isEqualTo(CompressibleBodies.text(5000));
        Reply large = get(server, "/large", "*");
        assertThat(large.header("Transfer-Encoding")).contains("chunked");
        assertThat(inflate(large.body())).isEqualTo(CompressibleBodies.LARGE);
        Reply rows = get(server, "/rows", "gzip");
        assertThat(rows.header("ETag")).contains("W/\"a\"");
        assertThat(inflate(rows.body())).isEqualTo(CompressibleBodies.LARGE);
    }

    @Test
    void response_notWorthItOrNotWanted_isSentAsItIs() throws Exception {
        Server server = server();
        assertThat(get(server, "/tiny", "gzip").text()).isEqualTo("tiny");
        assertThat(get(server, "/image", "gzip").header("Content-Encoding")).isEmpty();
        assertThat(get(server, "/image", "gzip").header("Vary")).isEmpty();
        Reply noise = get(server, "/noise", "gzip");
        assertThat(noise.header("Content-Encoding")).isEmpty();
        assertThat(noise.body()).isEqualTo(CompressibleBodies.noise(20_000));
        for (String accept : new String[] {"br", "gzip;q=0", "identity, gzip;q=0.5", ""}) {
            Reply plain = get(server, "/small", accept);
            assertThat(plain.header("Content-Encoding")).as(accept).isEmpty();
            assertThat(plain.header("Vary")).contains("Accept-Encoding");
            assertThat(plain.body()).isEqualTo(CompressibleBodies.text(5000));
        }
    }

    @Test
    void head_hasTheHeadersOfGet() throws Exception {
        Server server = server();
        for (String path : new String[] {"/tiny", "/small", "/noise", "/large"}) {
            Reply got = get(server, path, "gzip");
            try (RawClient client = new RawClient(server.port())) {
                client.send("HEAD " + path + " HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n");
                Reply head = client.send("\r\n").replyToHead();
                for (String name :
                        new String[] {"Content-Encoding", "Content-Length", "Vary", "ETag"}) {
                    assertThat(head.header(name)).as(path).isEqualTo(got.header(name));
                }
            }
        }
    }

    /** Tries each way to answer, on each kind of thread, with lengths around the limits of buffers. */
    @ParameterizedTest
    @EnumSource(Protocol.class)
    void head_ofAnyResponse_hasTheHeadersOfGet(Protocol protocol) throws Exception {
        Handler handler = CompressionIT::write;
        Server server =
                start(b ->
                        b.get("/thread/{how}/{bytes}", handler)
                                .get("/loop/{how}/{bytes}", Handler.nonBlocking(handler))
                                .get("/later/{how}/{bytes}", CompressionIT::later)
                                .get("/later-on-loop/{how}/{bytes}", CompressionIT::laterOnLoop));
        try (TestClient client = protocol.connect(server.port())) {
            for (String where : List.of("thread", "loop", "later", "later-on-loop")) {
                for (String how : List.of("whole", "long", "parts", "flushed", "304", "204")) {
                    for (int bytes :
                            new int[] {0, 9, 1023, 1024, 1536, 1537, 3000, 3073, 32_736, 50_000}) {
                        String path = "/%s/%s/%d".formatted(where, how, bytes);
                        compare(client, path, "gzip", bytes);
                        compare(client, path, "identity", bytes);
                    }
                }
            }
        }
    }

    private static void compare(TestClient client, String path, String accept, int bytes)
            throws IOException {
        Reply got = client.send("GET", path, "Accept-Encoding", accept).reply();
        Reply head = client.send("HEAD", path, "Accept-Encoding", accept).reply();
        assertThat(head.status()).as(path).isEqualTo(got.status());
        assertThat(withoutDate(head)).as("%s %s", path, accept).isEqualTo(withoutDate(got));
        if (got.status() == 200) {
            boolean coded = got.header("Content-Encoding").isPresent();
            assertThat(coded ? inflate(got.body()) : got.body())
                    .as(path)
                    .isEqualTo(CompressibleBodies.text(bytes));
        }
    }

    /** A handler may set the length that it knows, and leave the body unwritten, since HEAD has none. */
    @Test
    void head_withTheLengthOfWhatGetCompresses_doesNotTellIt() throws Exception {
        Server server =
                start(b ->
                        b.get(
                                "/",
                                x -> {
                                    ResponseBody body =
                                            x.header(
                                                            "Content-Length",
                                                            Integer.toString(
                                                                    CompressibleBodies.LARGE
                                                                            .length))
                                                    .body("text/csv");
                                    if (x.method().equals("GET")) {
                                        body.write(ByteBuffer.wrap(CompressibleBodies.LARGE));
                                    }
                                }));
        try (RawClient client = new RawClient(server.port())) {
            String head = "HEAD / HTTP/1.1\r\nHost: x\r\n";
            Reply plain = client.send(head + "\r\n").head();
            assertThat(plain.header("Content-Length"))
                    .contains(Integer.toString(CompressibleBodies.LARGE.length));
            Reply coded = client.send(head + "Accept-Encoding: gzip\r\n\r\n").head();
            assertThat(coded.header("Content-Length")).isEmpty();
            assertThat(coded.header("Content-Encoding")).contains("gzip");
            assertThat(coded.header("Vary")).contains("Accept-Encoding");
        }
    }

    private static List<String> withoutDate(Reply reply) {
        return reply.headers().stream()
                .filter(line -> !line.regionMatches(true, 0, "Date:", 0, 5))
                .toList();
    }

    private static void later(Exchange exchange) {
        exchange.suspend(Duration.ofSeconds(30))
                .resumeAfter(Duration.ofMillis(1), CompressionIT::write);
    }

    private static void laterOnLoop(Exchange exchange) {
        exchange.suspend(Duration.ofSeconds(30))
                .resumeAfter(Duration.ofMillis(1), Handler.nonBlocking(CompressionIT::write));
    }

    private static void write(Exchange exchange) throws IOException {
        byte[] text = CompressibleBodies.text(Integer.parseInt(exchange.pathParameter("bytes")));
        String how = exchange.pathParameter("how");
        if (how.equals("whole")) {
            exchange.respond(200, "text/plain", text);
            return;
        }
        if (how.equals("long")) {
            exchange.header("Content-Length", Integer.toString(text.length));
        }
        if (how.endsWith("4")) {
            exchange.status(Integer.parseInt(how));
        }
        ResponseBody body = exchange.header("ETag", "\"a\"").body("text/csv");
        for (int at = 0; at < text.length; at += 700) {
            body.write(ByteBuffer.wrap(text, at, Math.min(700, text.length - at)));
            if (at == 0 && how.equals("flushed")) {
                body.flush();
            }
        }
    }

    @Test
    void flush_bringsOutWhatWasWritten() throws Exception {
        Server server = server();
        try (RawClient client = new RawClient(server.port())) {
            client.send("GET /flushed HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n\r\n");
            assertThat(client.head().header("Content-Encoding")).contains("gzip");
            byte[] chunk = client.input().readNBytes(Integer.parseInt(client.line(), 16));
            byte[] first = new byte[5];
            int count =
                    new GZIPInputStream(new ByteArrayInputStream(chunk), 64)
                            .readNBytes(first, 0, 5);
            assertThat(new String(first, 0, count, StandardCharsets.US_ASCII)).isEqualTo("first");
        }
    }

    @Test
    void response_thatIsCompressedAndWaits_hasAllThatWasWrittenBefore() throws Exception {
        CompletableFuture<String> rest = new CompletableFuture<>();
        Server server =
                start(b ->
                        b.get(
                                "/",
                                x -> {
                                    ResponseBody body = x.body("text/plain");
                                    body.write(ByteBuffer.wrap(CompressibleBodies.LARGE));
                                    var _ =
                                            x.suspend(Duration.ofMinutes(5))
                                                    .resumeWhen(
                                                            rest,
                                                            (_, text) ->
                                                                    body.write(
                                                                            ByteBuffer.wrap(
                                                                                    text.getBytes(
                                                                                            StandardCharsets
                                                                                                    .US_ASCII))));
                                }));
        try (RawClient client = new RawClient(server.port())) {
            client.send("GET / HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n\r\n");
            assertThat(client.head().header("Content-Encoding")).contains("gzip");
            InputStream body = new GZIPInputStream(new Chunks(client), 64);
            assertThat(body.readNBytes(CompressibleBodies.LARGE.length))
                    .isEqualTo(CompressibleBodies.LARGE);
            rest.complete("the rest");
            assertThat(new String(body.readAllBytes(), StandardCharsets.US_ASCII))
                    .isEqualTo("the rest");
        }
    }

    @Test
    void response_brokenWhileCompressed_isReset() throws Exception {
        Server server =
                start(b ->
                        b.get(
                                "/",
                                x -> {
                                    try (ResponseBody body = x.body("text/csv")) {
                                        body.write(ByteBuffer.wrap(CompressibleBodies.LARGE));
                                        throw new IllegalStateException("gone");
                                    }
                                }));
        org.assertj.core.api.Assertions.assertThatThrownBy(() -> get(server, "/", "gzip"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("reset");
    }
}
