package dev.penstock.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.server.Protocol;
import dev.penstock.http.server.RawClient.Reply;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerFixture;
import dev.penstock.http.server.TestCertificate;
import dev.penstock.http.server.TestClient;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Cookies, conditions, negotiation and redirects, over each protocol. */
@Timeout(120)
final class RequestsIT extends ServerFixture {
    private static final Instant MADE = Instant.parse("2026-07-01T10:00:00.7Z");

    private Server server() {
        return start(b ->
                b.get("/cookie", x -> x.respond(200, "text/plain", x.cookie("a").orElse("none")))
                        .get(
                                "/set",
                                x ->
                                        x.cookie(Cookie.of("a", "1"))
                                                .cookie(Cookie.of("b", "2").path("/b"))
                                                .respond(200, "text/plain", "set"))
                        .get(
                                "/set-and-fail",
                                x -> {
                                    x.cookie(Cookie.expired("a")).header("ETag", "\"x\"");
                                    throw new HttpException(409, "no");
                                })
                        .post(
                                "/echo",
                                x -> {
                                    x.cookie(Cookie.of("echo", x.readText(1_000)));
                                    x.respond(200, "text/plain", "set");
                                })
                        .get("/version", RequestsIT::version)
                        .put("/version", RequestsIT::version)
                        .get(
                                "/negotiated",
                                x ->
                                        x.respond(
                                                200,
                                                x.negotiate("application/json", "text/html"),
                                                "{}"))
                        .get("/to", x -> x.redirect(303, x.parameter("where").orElse("/"))));
    }

    private static void version(Exchange exchange) {
        if (!exchange.notModified("\"v1\"", MADE)) {
            exchange.respond(200, "text/plain", "version 1");
        }
    }

    private static Reply send(
            Protocol protocol, Server server, String method, String path, String... headers)
            throws Exception {
        try (TestClient client = protocol.connect(server.port())) {
            return client.send(method, path, headers).reply();
        }
    }

    private static List<String> cookies(Reply reply) {
        return reply.headers().stream()
                .filter(line -> line.toLowerCase(java.util.Locale.ROOT).startsWith("set-cookie: "))
                .map(line -> line.substring("set-cookie: ".length()))
                .toList();
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void cookies_bothWays_areThoseThatWereSet(Protocol protocol) throws Exception {
        Server server = server();
        assertThat(send(protocol, server, "GET", "/cookie").text()).isEqualTo("none");
        assertThat(send(protocol, server, "GET", "/cookie", "Cookie", "b=1; a=2; a=3").text())
                .isEqualTo("2");
        assertThat(
                        send(protocol, server, "GET", "/cookie", "Cookie", "b=1", "Cookie", "a=4")
                                .text())
                .isEqualTo("4");
        assertThat(cookies(send(protocol, server, "GET", "/set")))
                .containsExactly(
                        "a=1; Path=/; HttpOnly; SameSite=Lax",
                        "b=2; Path=/b; HttpOnly; SameSite=Lax");
        Reply failed = send(protocol, server, "GET", "/set-and-fail");
        assertThat(failed.status()).isEqualTo(409);
        assertThat(cookies(failed))
                .containsExactly("a=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax");
        assertThat(failed.header("ETag")).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void cookie_ofTextThatSplitsHeaders_isNotSet(Protocol protocol) throws Exception {
        Server server = server();
        for (String text : List.of("x\r\nX-Injected: 1", "x; Domain=evil.example", "x\n", "x\0")) {
            try (TestClient client = protocol.connect(server.port())) {
                Reply reply =
                        client.send("POST", "/echo", text.getBytes(StandardCharsets.US_ASCII))
                                .reply();
                assertThat(reply.status()).isEqualTo(500);
                assertThat(cookies(reply)).isEmpty();
                assertThat(reply.header("X-Injected")).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void version_byConditions_isSentOrNot(Protocol protocol) throws Exception {
        Server server = server();
        Reply first = send(protocol, server, "GET", "/version");
        assertThat(first.text()).isEqualTo("version 1");
        assertThat(first.header("ETag")).contains("\"v1\"");
        String date = first.header("Last-Modified").orElseThrow();
        assertThat(date).isEqualTo("Wed, 01 Jul 2026 10:00:00 GMT");
        for (String[] condition :
                new String[][] {{"If-None-Match", "\"v1\""}, {"If-Modified-Since", date}}) {
            Reply same = send(protocol, server, "GET", "/version", condition);
            assertThat(same.status()).isEqualTo(304);
            assertThat(same.header("ETag")).contains("\"v1\"");
        }
        assertThat(send(protocol, server, "GET", "/version", "If-None-Match", "\"v0\"").status())
                .isEqualTo(200);
        Reply other = send(protocol, server, "PUT", "/version", "If-Match", "\"v0\"");
        assertThat(other.status()).isEqualTo(412);
        assertThat(other.header("ETag")).isEmpty();
        assertThat(send(protocol, server, "PUT", "/version", "If-Match", "\"v1\"").status())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void negotiate_byAccept_isTheBestOrNone(Protocol protocol) throws Exception {
        Server server = server();
        assertThat(send(protocol, server, "GET", "/negotiated").header("Content-Type"))
                .contains("application/json");
        assertThat(
                        send(protocol, server, "GET", "/negotiated", "Accept", "text/*, */*;q=0.1")
                                .header("Content-Type"))
                .contains("text/html");
        Reply none = send(protocol, server, "GET", "/negotiated", "Accept", "image/png");
        assertThat(none.status()).isEqualTo(406);
        assertThat(none.text()).contains("application/json, text/html");
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void redirect_toWhatCannotBeSent_isAnError(Protocol protocol) throws Exception {
        Server server = server();
        Reply moved = send(protocol, server, "GET", "/to?where=/a%3Fb");
        assertThat(moved.status()).isEqualTo(303);
        assertThat(moved.header("Location")).contains("/a?b");
        for (String where : List.of("%0D%0AX-Injected:1", "/%0A", "/%20", "/%C3%BC")) {
            Reply reply = send(protocol, server, "GET", "/to?where=" + where);
            assertThat(reply.status()).as(where).isEqualTo(500);
            assertThat(reply.header("Location")).as(where).isEmpty();
            assertThat(reply.header("X-Injected")).as(where).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void contentType_sentTwice_isRefused(Protocol protocol) throws Exception {
        Server server = server();
        try (TestClient client = protocol.connect(server.port())) {
            String[] types = {"Content-Type", "text/plain", "Content-Type", "text/html"};
            Reply reply = client.send("POST", "/echo", new byte[1], types).reply();
            assertThat(reply.status()).isEqualTo(400);
            assertThat(reply.text()).contains("2 Content-Types; send one");
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void heads_beyondTheirBounds_areToldWhatIsAllowed(Protocol protocol) throws Exception {
        Server server =
                start(b ->
                        b.maxHeaders(50, 4_000)
                                .maxRequestLine(1_000)
                                .get("/", x -> x.respond(200, "text/plain", "a")));
        Reply path = send(protocol, server, "GET", "/" + "a".repeat(2_000));
        assertThat(path.status()).isEqualTo(414);
        assertThat(path.text()).contains("1000 bytes");
        Reply query = send(protocol, server, "GET", "/?" + "a=b&".repeat(500));
        assertThat(query.status()).isEqualTo(414);
        Reply cookie = send(protocol, server, "GET", "/", "Cookie", "a=" + "b".repeat(4_100));
        assertThat(cookie.status()).isEqualTo(431);
        assertThat(cookie.text()).contains("4000 bytes");
        String[] many = new String[102];
        for (int i = 0; i < many.length; i += 2) {
            many[i] = "X-" + i;
            many[i + 1] = "1";
        }
        Reply headers = send(protocol, server, "GET", "/", many);
        assertThat(headers.status()).isEqualTo(431);
        assertThat(headers.text()).contains("50 header");
    }

    @ParameterizedTest
    @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
    void cookie_overTls_isSecure(HttpClient.Version version, @TempDir Path folder)
            throws Exception {
        TestCertificate certificate = TestCertificate.make("EC", "one");
        Path file = folder.resolve("certificate.pem");
        Path key = folder.resolve("key.pem");
        certificate.write(file, key);
        Server server =
                start(b ->
                        b.tls(file, key)
                                .get(
                                        "/set",
                                        x ->
                                                x.cookie(Cookie.of("a", "1"))
                                                        .cookie(Cookie.of("__Host-b", "2"))
                                                        .respond(200, "text/plain", "set")));
        try (HttpClient client =
                HttpClient.newBuilder().sslContext(TestCertificate.trusting(certificate)).build()) {
            URI uri = URI.create("https://localhost:" + server.port() + "/set");
            HttpRequest request = HttpRequest.newBuilder(uri).version(version).build();
            assertThat(
                            client.send(request, BodyHandlers.ofString())
                                    .headers()
                                    .allValues("Set-Cookie"))
                    .containsExactly(
                            "a=1; Path=/; Secure; HttpOnly; SameSite=Lax",
                            "__Host-b=2; Path=/; Secure; HttpOnly; SameSite=Lax");
        }
    }
}
