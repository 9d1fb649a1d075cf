package dev.penstock.http.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.http.Handler;
import dev.penstock.http.ResponseBody;
import dev.penstock.http.server.Protocol;
import dev.penstock.http.server.RawClient;
import dev.penstock.http.server.RawClient.Reply;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerFixture;
import dev.penstock.http.server.TestClient;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests of fields behind bodies, and of what is said before heads. */
final class TrailersIT extends ServerFixture {
    private static final String[] TE = {"TE", "trailers"};

    /** Tells what stands behind the body. */
    private static final Handler ECHO =
            exchange -> {
                byte[] body = exchange.readBytes(200_000);
                exchange.respond(
                        200,
                        "text/plain",
                        body.length + " " + String.join("+", exchange.trailers("X-Sum")));
            };

    private static String lower(TestClient client) {
        return String.join("\n", client.trailers()).toLowerCase(Locale.ROOT);
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void trailers_ofARequest_areThereBehindItsBody(Protocol protocol) throws Exception {
        Server server =
                start(b ->
                        b.post("/", ECHO)
                                .post(
                                        "/early",
                                        exchange ->
                                                exchange.respond(
                                                        200,
                                                        "text/plain",
                                                        "" + exchange.trailers("X-Sum")))
                                .post(
                                        "/later",
                                        exchange ->
                                                exchange.suspend(Duration.ofMinutes(1))
                                                        .onBody(
                                                                _ -> {},
                                                                later ->
                                                                        later.respond(
                                                                                200,
                                                                                "text/plain",
                                                                                ""
                                                                                        + later
                                                                                                .trailers(
                                                                                                        "X-Sum")))));
        for (int length : new int[] {0, 1, 16_384, 65_535, 65_537, 200_000}) {
            try (TestClient client = protocol.connect(server.port())) {
                client.begin("POST", "/");
                if (length > 0) {
                    client.part(new byte[length]);
                }
                client.end("X-Sum", "1", "x-sum", "2", "X-Other", "3");
                assertThat(client.reply().text()).isEqualTo(length + " 1+2");
            }
        }
        try (TestClient client = protocol.connect(server.port())) {
            client.begin("POST", "/later").part(new byte[10]).end("X-Sum", "7");
            assertThat(client.reply().text()).isEqualTo("[7]");
        }
        try (TestClient client = protocol.connect(server.port())) {
            client.begin("POST", "/").part(new byte[1]).end();
            assertThat(client.reply().text()).isEqualTo("1 ");
        }
        try (TestClient client = protocol.connect(server.port())) {
            client.begin("POST", "/early").part(new byte[10]).end("X-Sum", "7");
            assertThat(client.reply().status()).isEqualTo(500);
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void trailers_ofARequest_thatMustBeHeaders_areRefused(Protocol protocol) throws Exception {
        Server server = start(b -> b.post("/", ECHO).maxHeaders(5, 1000));
        for (String name : new String[] {"Authorization", "Content-Type", "Set-Cookie"}) {
            try (TestClient client = protocol.connect(server.port())) {
                client.begin("POST", "/").part(new byte[1]).end(name, "1");
                assertThat(client.reply().status()).as(name).isEqualTo(400);
            }
        }
        try (TestClient client = protocol.connect(server.port())) {
            String[] many = new String[12];
            for (int i = 0; i < many.length; i += 2) {
                many[i] = "X-" + i;
                many[i + 1] = "1";
            }
            client.begin("POST", "/").part(new byte[1]).end(many);
            assertThat(client.reply().status()).isEqualTo(431);
        }
        try (TestClient client = protocol.connect(server.port())) {
            client.begin("POST", "/").part(new byte[1]).end("X-Long", "x".repeat(1000));
            assertThat(client.reply().status()).isEqualTo(431);
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void trailers_ofAResponse_standBehindItsBody(Protocol protocol) throws Exception {
        Server server =
                start(b ->
                        b.compression(false)
                                .get(
                                        "/{length}",
                                        exchange -> {
                                            AtomicInteger sum = new AtomicInteger();
                                            exchange.trailer("X-Sum", () -> "" + sum)
                                                    .trailer("X-None", () -> null);
                                            int length =
                                                    Integer.parseInt(
                                                            exchange.pathParameter("length"));
                                            try (ResponseBody body = exchange.body("text/plain")) {
                                                for (int i = 0; i < length; i++) {
                                                    body.write(ByteBuffer.wrap(new byte[] {'x'}));
                                                    sum.incrementAndGet();
                                                }
                                            }
                                        }));
        for (int length :
                new int[] {0, 1, 1535, 1537, 16_384, 32_735, 32_736, 32_737, 65_537, 200_000}) {
            try (TestClient client = protocol.connect(server.port())) {
                client.get("/" + length, TE);
                Reply reply = client.reply();
                assertThat(reply.body()).hasSize(length);
                assertThat(reply.header("Trailer")).contains("X-Sum, X-None");
                assertThat(reply.header("Content-Length")).isEmpty();
                assertThat(lower(client)).isEqualTo("x-sum: " + length);
                // The connection goes on as if there had been none.
                client.get("/3", TE);
                assertThat(client.reply().text()).isEqualTo("xxx");
            }
        }
        try (TestClient client = protocol.connect(server.port())) {
            client.send("HEAD", "/7", TE);
            Reply reply = client.reply();
            assertThat(reply.header("Trailer")).isEmpty();
            assertThat(client.trailers()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void trailers_ofACompressedOrSuspendedResponse_standBehindIt(Protocol protocol)
            throws Exception {
        Server server =
                start(b ->
                        b.get(
                                        "/gzip",
                                        exchange -> {
                                            exchange.trailer("X-Sum", () -> "zipped");
                                            exchange.body("text/plain")
                                                    .write(ByteBuffer.allocate(200_000));
                                        })
                                .get(
                                        "/loop",
                                        Handler.nonBlocking(exchange ->
                                                exchange.trailer("X-Sum", () -> "loop")
                                                        .respond(200, "text/plain", "x")))
                                .get(
                                        "/later",
                                        exchange -> {
                                            exchange.trailer("X-Sum", () -> "later");
                                            exchange.body("text/plain")
                                                    .write(ByteBuffer.allocate(10));
                                            exchange.suspend(Duration.ofMinutes(1))
                                                    .resumeAfter(
                                                            Duration.ofMillis(1),
                                                            Handler.nonBlocking(_ -> {}));
                                        }));
        try (TestClient client = protocol.connect(server.port())) {
            client.get("/gzip", "TE", "trailers", "Accept-Encoding", "gzip");
            assertThat(client.reply().header("Content-Encoding")).contains("gzip");
            assertThat(lower(client)).isEqualTo("x-sum: zipped");
            client.get("/loop", TE);
            assertThat(client.reply().text()).isEqualTo("x");
            assertThat(lower(client)).isEqualTo("x-sum: loop");
            client.get("/later", TE);
            assertThat(client.reply().body()).hasSize(10);
            assertThat(lower(client)).isEqualTo("x-sum: later");
        }
    }

    @Test
    void trailers_ofAResponse_areNotSentToWhomDoesNotAsk() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        Server server =
                start(b ->
                        b.get(
                                "/",
                                exchange ->
                                        exchange.trailer(
                                                        "X-Sum", () -> "" + asked.incrementAndGet())
                                                .respond(200, "text/plain", "xyz")));
        try (RawClient client = new RawClient(server.port())) {
            Reply reply = client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n").reply();
            assertThat(reply.header("Content-Length")).contains("3");
            assertThat(reply.header("Trailer")).isEmpty();
        }
        try (RawClient client = new RawClient(server.port())) {
            Reply reply = client.send("GET / HTTP/1.0\r\nTE: trailers\r\n\r\n").reply();
            assertThat(reply.header("Trailer")).isEmpty();
            assertThat(reply.text()).isEqualTo("xyz");
        }
        assertThat(asked).hasValue(0);
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void trailers_thatFail_failTheResponse(Protocol protocol) throws Exception {
        Server server =
                start(b ->
                        b.get(
                                        "/{length}",
                                        exchange -> {
                                            exchange.trailer(
                                                    "X-Sum", () -> "a\r\nSet-Cookie: split=1");
                                            exchange.body("text/plain")
                                                    .write(
                                                            ByteBuffer.allocate(
                                                                    Integer.parseInt(
                                                                            exchange.pathParameter(
                                                                                    "length"))));
                                        })
                                .get(
                                        "/name/{name}",
                                        exchange ->
                                                exchange.trailer(
                                                        exchange.pathParameter("name"),
                                                        () -> "x")));
        try (TestClient client = protocol.connect(server.port())) {
            client.get("/10", TE);
            assertThat(client.reply().status()).isEqualTo(500);
            assertThat(client.trailers()).isEmpty();
        }
        for (int length : new int[] {1000, 1024, 10_000, 32_735}) {
            try (TestClient client = protocol.connect(server.port())) {
                client.get("/" + length, "TE", "trailers", "Accept-Encoding", "gzip");
                Reply reply = client.reply();
                assertThat(reply.status()).isEqualTo(500);
                assertThat(reply.header("Content-Encoding")).isEmpty();
                assertThat(reply.text()).contains("\"status\"");
            }
        }
        try (TestClient client = protocol.connect(server.port())) {
            client.get("/100000", TE);
            assertThatThrownBy(client::reply).isInstanceOf(IOException.class);
        }
        for (String name : new String[] {"Set-Cookie", "content-length", "Date", "no%20token"}) {
            try (TestClient client = protocol.connect(server.port())) {
                client.get("/name/" + name, TE);
                assertThat(client.reply().status()).as(name).isEqualTo(500);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void earlyHints_comeBeforeTheHead(Protocol protocol) throws Exception {
        String style = "</style.css>; rel=preload; as=style";
        String script = "</script.js>; rel=preload; as=script";
        Handler hints =
                exchange ->
                        exchange.earlyHints(style, script)
                                .earlyHints(script)
                                .header("Link", style)
                                .respond(200, "text/plain", "page");
        Server server =
                start(b ->
                        b.get("/", hints)
                                .get("/loop", Handler.nonBlocking(hints))
                                .get("/fails", exchange -> exchange.earlyHints("a\r\nb"))
                                .get(
                                        "/many",
                                        exchange -> {
                                            for (int i = 0; i < 9; i++) {
                                                exchange.earlyHints(style);
                                            }
                                        })
                                .get("/large", exchange -> exchange.earlyHints("x".repeat(9000))));
        for (String path : new String[] {"/", "/loop"}) {
            try (TestClient client = protocol.connect(server.port())) {
                client.get(path);
                Reply first = client.head();
                assertThat(first.status()).isEqualTo(103);
                assertThat(first.headers())
                        .map(line -> line.toLowerCase(Locale.ROOT))
                        .contains("link: " + style, "link: " + script);
                assertThat(client.head().status()).isEqualTo(103);
                Reply reply = client.reply();
                assertThat(reply.status()).isEqualTo(200);
                assertThat(reply.header("Link")).contains(style);
                assertThat(reply.text()).isEqualTo("page");
            }
        }
        for (String path : new String[] {"/fails", "/large"}) {
            try (TestClient client = protocol.connect(server.port())) {
                assertThat(client.get(path).reply().status()).isEqualTo(500);
            }
        }
        try (TestClient client = protocol.connect(server.port())) {
            client.get("/many");
            for (int i = 0; i < 8; i++) {
                assertThat(client.head().status()).isEqualTo(103);
            }
            assertThat(client.reply().status()).isEqualTo(500);
        }
    }

    @Test
    void earlyHints_overHttp10_areLeftOut() throws Exception {
        Server server =
                start(b ->
                        b.get(
                                "/",
                                exchange ->
                                        exchange.earlyHints("</a.css>; rel=preload")
                                                .respond(200, "text/plain", "page")));
        try (RawClient client = new RawClient(server.port())) {
            assertThat(client.send("GET / HTTP/1.0\r\n\r\n").reply().status()).isEqualTo(200);
        }
    }
}
