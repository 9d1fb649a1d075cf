package dev.penstock.http.servlet;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.AttributeKey;
import dev.penstock.http.Cookie;
import dev.penstock.http.Exchange;
import dev.penstock.http.Handler;
import dev.penstock.http.HttpException;
import dev.penstock.http.ResponseBody;
import dev.penstock.http.filter.Authentication;
import dev.penstock.http.filter.Cors;
import dev.penstock.http.filter.RequestId;
import dev.penstock.http.filter.TraceContext;
import dev.penstock.http.server.Protocol;
import dev.penstock.http.server.RawClient.Reply;
import dev.penstock.http.server.ServerBuilder;
import dev.penstock.http.server.TestClient;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Filters, error handlers, attributes and trailers do the same wherever handlers run, over each protocol. */
@Timeout(60)
@ParameterizedClass
@MethodSource("dev.penstock.http.servlet.Container#overEachProtocol")
final class FiltersConformanceTest {
    private static final AttributeKey<String> TRAIL = AttributeKey.of("trail");

    private static final Handler ANSWER =
            exchange ->
                    exchange.respond(200, "text/plain", exchange.attribute(TRAIL).orElse("none"));

    private final Container container;
    private final Protocol protocol;
    private @Nullable Running running;

    FiltersConformanceTest(Container container, Protocol protocol) {
        this.container = container;
        this.protocol = protocol;
    }

    private Running start(UnaryOperator<ServerBuilder> routes) throws Exception {
        ServerBuilder builder =
                Container.builder().accessLog(false).stopWithin(Duration.ofSeconds(5));
        Running started = container.start(routes.apply(builder), "/app/*", 30_000);
        running = started;
        return started;
    }

    @AfterEach
    void stop() throws Exception {
        if (running != null) {
            running.stopAll();
        }
    }

    private static Handler mark(String name) {
        return exchange -> exchange.attribute(TRAIL, exchange.attribute(TRAIL).orElse("") + name);
    }

    private Reply ask(Running at, String method, String path, String... headers)
            throws IOException {
        try (TestClient client = protocol.connect(at.port())) {
            return client.send(method, at.path(path), headers).reply();
        }
    }

    @Test
    void filters_beforeAndAfter_runForEveryAnswer() throws Exception {
        Running at =
                start(b ->
                        b.filter(RequestId.made())
                                .before(mark("1"))
                                .before(Handler.nonBlocking(mark("2")))
                                .before(exchange ->
                                        exchange.suspend(Duration.ofMinutes(1))
                                                .resumeAfter(Duration.ofMillis(1), mark("3")))
                                .after((exchange, status) ->
                                        exchange.suspend(Duration.ofMinutes(1))
                                                .resumeWhen(
                                                        CompletableFuture.supplyAsync(() -> status),
                                                        (later, told) ->
                                                                later.header(
                                                                        "X-Status", "" + told)))
                                .maxBody(10)
                                .get("/thread", ANSWER)
                                .get("/loop", Handler.nonBlocking(ANSWER))
                                .get(
                                        "/streams",
                                        exchange -> {
                                            var body = exchange.body("text/plain");
                                            body.write(ByteBuffer.wrap(new byte[] {'a'}));
                                            body.flush();
                                            body.write(ByteBuffer.wrap(new byte[] {'b'}));
                                        })
                                .get(
                                        "/fails",
                                        _ -> {
                                            throw new IOException("on purpose");
                                        })
                                .post("/post", ANSWER));
        assertThat(ask(at, "GET", "/thread").text()).isEqualTo("123");
        assertThat(ask(at, "GET", "/loop").text()).isEqualTo("123");
        assertThat(ask(at, "GET", "/streams").text()).isEqualTo("ab");
        for (String[] each :
                new String[][] {
                    {"GET", "/thread", "200"},
                    {"GET", "/loop", "200"},
                    {"GET", "/streams", "200"},
                    {"GET", "/fails", "500"},
                    {"GET", "/none", "404"},
                    {"GET", "/post", "405"},
                    {"OPTIONS", "/post", "204"}
                }) {
            Reply reply = ask(at, each[0], each[1]);
            assertThat(reply.status()).as(each[1]).isEqualTo(Integer.parseInt(each[2]));
            assertThat(reply.header("X-Status")).as(each[1]).contains(each[2]);
            assertThat(reply.header("X-Request-Id")).as(each[1]).isPresent();
        }
        try (TestClient client = protocol.connect(at.port())) {
            Reply reply = client.send("POST", at.path("/post"), new byte[11]).head();
            assertThat(reply.status()).isEqualTo(413);
            assertThat(reply.header("X-Status")).contains("413");
        }
    }

    @Test
    void headers_thatRepeat_surviveAnError() throws Exception {
        Running at =
                start(b ->
                        b.onError(
                                        IllegalStateException.class,
                                        (failure, exchange) ->
                                                exchange.respond(
                                                        409,
                                                        "text/plain",
                                                        String.valueOf(failure.getMessage())))
                                .get(
                                        "/{kind}",
                                        exchange -> {
                                            exchange.cookie(Cookie.of("a", "1"))
                                                    .cookie(Cookie.of("b", "2"))
                                                    .header("ETag", "\"gone\"");
                                            if (exchange.pathParameter("kind").equals("state")) {
                                                throw new IllegalStateException("state");
                                            }
                                            throw new HttpException(400, "on purpose");
                                        }));
        for (String[] each : new String[][] {{"/state", "409"}, {"/other", "400"}}) {
            Reply reply = ask(at, "GET", each[0]);
            assertThat(reply.status()).isEqualTo(Integer.parseInt(each[1]));
            assertThat(
                            reply.headers().stream()
                                    .filter(line ->
                                            line.regionMatches(true, 0, "Set-Cookie", 0, 10)))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .map(line -> line.substring(0, 3))
                    .containsExactly("a=1", "b=2");
            assertThat(reply.header("ETag")).isEmpty();
        }
    }

    @Test
    void trailers_goBothWays_whereTheContainerTellsThem() throws Exception {
        Running at =
                start(b ->
                        b.post(
                                "/",
                                exchange -> {
                                    byte[] body = exchange.readBytes(100_000);
                                    exchange.trailer("X-Sum", () -> "" + body.length)
                                            .respond(
                                                    200,
                                                    "text/plain",
                                                    String.join(
                                                            "+", exchange.trailers("X-Client")));
                                }));
        try (TestClient client = protocol.connect(at.port())) {
            client.begin("POST", at.path("/"), askForTrailers());
            Reply reply = client.part(new byte[3]).end("X-Client", "7").reply();
            assertThat(reply.status()).isEqualTo(200);
            assertThat(reply.header("Trailer")).contains("X-Sum");
            if (protocol == Protocol.HTTP_1_1) {
                assertThat(reply.header("Transfer-Encoding")).contains("chunked");
            }
            assertThat(client.trailers())
                    .map(line -> line.toLowerCase(Locale.ROOT))
                    .containsExactly("x-sum: 3");
            // Tomcat allows none of a request unless it is set to.
            assertThat(reply.text()).isEqualTo(container == Container.TOMCAT ? "" : "7");
        }
        // To a client of HTTP/1.1 that does not ask for them, all is as usual.
        try (TestClient client = protocol.connect(at.port())) {
            Reply reply = client.send("POST", at.path("/"), new byte[3]).reply();
            assertThat(reply.header("Trailer").isPresent()).isEqualTo(protocol == Protocol.HTTP_2);
        }
    }

    private String[] askForTrailers() {
        return protocol == Protocol.HTTP_2
                ? new String[] {"TE", "trailers"}
                : new String[] {"TE", "trailers", "Connection", "TE"};
    }

    /** Jakarta Servlet has no way to send them. */
    @Test
    void earlyHintsAndInform_areSentOnItsOwnPortAndNotInContainers() throws Exception {
        String style = "</style.css>; rel=preload; as=style";
        Handler hints =
                exchange ->
                        exchange.earlyHints(style)
                                .earlyHints(style)
                                .inform(104, "Upload-Offset", "7")
                                .header("Link", style)
                                .respond(200, "text/plain", "page");
        Running at =
                start(b ->
                        b.get("/thread", hints)
                                .get("/loop", Handler.nonBlocking(hints))
                                .get("/wrong", exchange -> exchange.earlyHints("a\r\nX-B: c"))
                                .get("/large", exchange -> exchange.earlyHints("x".repeat(9000))));
        for (String path : new String[] {"/thread", "/loop"}) {
            try (TestClient client = protocol.connect(at.port())) {
                client.get(at.path(path));
                for (int i = 0; container == Container.OWN && i < 2; i++) {
                    Reply hint = client.head();
                    assertThat(hint.status()).isEqualTo(103);
                    assertThat(hint.header("Link")).contains(style);
                }
                if (container == Container.OWN) {
                    Reply progress = client.head();
                    assertThat(progress.status()).isEqualTo(104);
                    assertThat(progress.header("Upload-Offset")).contains("7");
                }
                Reply reply = client.reply();
                assertThat(reply.status()).isEqualTo(200);
                assertThat(reply.header("Link")).contains(style);
                assertThat(reply.text()).isEqualTo("page");
            }
        }
        for (String path : new String[] {"/wrong", "/large"}) {
            assertThat(ask(at, "GET", path).status()).as(path).isEqualTo(500);
        }
    }

    @Test
    void groupsMethodsAndAllow_areTheRoutes() throws Exception {
        Handler route =
                exchange ->
                        exchange.respond(
                                200,
                                "text/plain",
                                exchange.route().orElse("none")
                                        + exchange.attribute(TRAIL).orElse(""));
        Running at =
                start(b ->
                        b.before(mark(" 1"))
                                .group(
                                        "/in",
                                        group ->
                                                group.before(mark(" 2"))
                                                        .maxBody(10)
                                                        .route(
                                                                List.of("PUT", "PURGE"),
                                                                List.of("/a", "/b/{id}"),
                                                                route)
                                                        .get("/c", route))
                                .get("/streams", FiltersConformanceTest::endless)
                                .put("/large", route));
        assertThat(ask(at, "PUT", "/in/a").text()).isEqualTo("/in/a 1 2");
        assertThat(ask(at, "PURGE", "/in/b/7").text()).isEqualTo("/in/b/{id} 1 2");
        assertThat(ask(at, "PUT", "/large").text()).isEqualTo("/large 1");
        Reply wrong = ask(at, "GET", "/in/a");
        assertThat(wrong.status()).isEqualTo(405);
        assertThat(wrong.header("Allow")).contains("OPTIONS, PURGE, PUT");
        assertThat(ask(at, "OPTIONS", "/in/c").header("Allow")).contains("GET, HEAD, OPTIONS");
        Reply head = ask(at, "HEAD", "/in/c");
        assertThat(head.status()).isEqualTo(200);
        assertThat(head.header("Content-Length")).contains("9");
        Reply streamed = ask(at, "HEAD", "/streams");
        assertThat(streamed.header("Content-Type")).contains("x/y");
        assertThat(streamed.header("Content-Length")).isEmpty();
        for (String path : new String[] {"/in/a", "/large"}) {
            try (TestClient client = protocol.connect(at.port())) {
                Reply reply = client.send("PUT", at.path(path), new byte[11]).head();
                assertThat(reply.status()).isEqualTo(path.equals("/large") ? 200 : 413);
            }
        }
    }

    private static void endless(Exchange exchange) throws IOException {
        ResponseBody body = exchange.body("x/y");
        while (true) {
            body.write(ByteBuffer.allocate(8192));
        }
    }

    @Test
    void corsAuthenticationAndTraces_areTheFilters() throws Exception {
        String shop = "https://shop.example";
        Running at =
                start(b ->
                        b.filter(TraceContext.filter())
                                .filter(Cors.of(shop).methods("GET", "PUT"))
                                .get("/", ANSWER)
                                .get(
                                        "/trace",
                                        x ->
                                                x.respond(
                                                        200,
                                                        "text/plain",
                                                        x.attribute(TraceContext.KEY)
                                                                .orElseThrow()
                                                                .traceId()))
                                .group(
                                        "/basic",
                                        group ->
                                                group.before(
                                                                Authentication.basic(
                                                                        "board",
                                                                        Map.of("ada", "engine")))
                                                        .get("/", FiltersConformanceTest::user))
                                .group(
                                        "/bearer",
                                        group ->
                                                group.before(
                                                                Authentication.bearer(
                                                                        "api", Map.of("t", "bo")))
                                                        .get("/", FiltersConformanceTest::user)));
        Reply read = ask(at, "GET", "/", "Origin", shop);
        assertThat(read.header("Access-Control-Allow-Origin")).contains(shop);
        assertThat(
                        ask(at, "GET", "/", "Origin", "https://evil.example")
                                .header("Access-Control-Allow-Origin"))
                .isEmpty();
        Reply preflight =
                ask(at, "OPTIONS", "/", "Origin", shop, "Access-Control-Request-Method", "GET");
        assertThat(preflight.status()).isEqualTo(204);
        assertThat(preflight.header("Access-Control-Allow-Methods")).contains("GET, PUT");
        assertThat(
                        ask(
                                        at,
                                        "OPTIONS",
                                        "/",
                                        "Origin",
                                        shop,
                                        "Access-Control-Request-Method",
                                        "DELETE")
                                .status())
                .isEqualTo(403);
        Reply unknown = ask(at, "GET", "/basic/");
        assertThat(unknown.status()).isEqualTo(401);
        assertThat(unknown.header("WWW-Authenticate"))
                .contains("Basic realm=\"board\", charset=\"UTF-8\"");
        String pair = Base64.getEncoder().encodeToString("ada:engine".getBytes(UTF_8));
        assertThat(ask(at, "GET", "/basic/", "Authorization", "Basic " + pair).text())
                .isEqualTo("ada");
        assertThat(ask(at, "GET", "/bearer/", "Authorization", "Bearer t").text()).isEqualTo("bo");
        assertThat(ask(at, "GET", "/bearer/", "Authorization", "Bearer x").status()).isEqualTo(401);
        String trace = "0af7651916cd43dd8448eb211c80319c";
        assertThat(
                        ask(
                                        at,
                                        "GET",
                                        "/trace",
                                        "traceparent",
                                        "00-" + trace + "-b7ad6b7169203331-01")
                                .text())
                .isEqualTo(trace);
    }

    private static void user(Exchange exchange) {
        exchange.respond(
                200, "text/plain", exchange.attribute(Authentication.USER).orElse("nobody"));
    }
}
