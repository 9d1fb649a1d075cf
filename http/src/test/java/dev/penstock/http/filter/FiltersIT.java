package dev.penstock.http.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.http.Admission;
import dev.penstock.http.AttributeKey;
import dev.penstock.http.Cookie;
import dev.penstock.http.Handler;
import dev.penstock.http.HttpException;
import dev.penstock.http.server.LogLines;
import dev.penstock.http.server.Protocol;
import dev.penstock.http.server.RawClient.Reply;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerFixture;
import dev.penstock.http.server.TestClient;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Level;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("any-loops")
final class FiltersIT extends ServerFixture {
    private static final AttributeKey<String> TRAIL = AttributeKey.of("trail");

    private final Queue<String> seen = new ConcurrentLinkedQueue<>();

    private static Handler mark(String name) {
        return exchange -> exchange.attribute(TRAIL, exchange.attribute(TRAIL).orElse("") + name);
    }

    private static final Handler ANSWER =
            exchange ->
                    exchange.respond(200, "text/plain", exchange.attribute(TRAIL).orElse("none"));

    private static Reply ask(
            Protocol protocol, Server server, String method, String path, String... headers)
            throws IOException {
        try (TestClient client = protocol.connect(server.port())) {
            return client.send(method, path, headers).reply();
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void filters_ofGroups_runOutsideIn(Protocol protocol) throws Exception {
        Server server =
                start(b ->
                        b.get("/", ANSWER)
                                .before(mark("1"))
                                .group(
                                        "/a",
                                        a ->
                                                a.get("", ANSWER)
                                                        .get("/x", Handler.nonBlocking(ANSWER))
                                                        .before(mark("2"))
                                                        .before(Handler.nonBlocking(mark("3")))
                                                        .group(
                                                                "/{id}/b",
                                                                c ->
                                                                        c.before(mark("4"))
                                                                                .get("/y", ANSWER)))
                                .before(mark("5")));
        assertThat(ask(protocol, server, "GET", "/").text()).isEqualTo("15");
        assertThat(ask(protocol, server, "GET", "/a").text()).isEqualTo("1523");
        assertThat(ask(protocol, server, "GET", "/a/x").text()).isEqualTo("1523");
        assertThat(ask(protocol, server, "GET", "/a/7/b/y").text()).isEqualTo("15234");
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void filter_thatAnswers_endsTheChain(Protocol protocol) throws Exception {
        Server server =
                start(b ->
                        b.before(
                                        exchange -> {
                                            switch (exchange.query()) {
                                                case "status" -> exchange.status(204);
                                                case "body" ->
                                                        exchange.respond(403, "text/plain", "no");
                                                case "throw" -> throw new HttpException(401, "who");
                                                default -> {}
                                            }
                                        })
                                .before(mark("behind"))
                                .get(
                                        "/",
                                        exchange -> {
                                            seen.add("handler");
                                            ANSWER.handle(exchange);
                                        }));
        assertThat(ask(protocol, server, "GET", "/?status").status()).isEqualTo(204);
        assertThat(ask(protocol, server, "GET", "/?body").text()).isEqualTo("no");
        assertThat(ask(protocol, server, "GET", "/?throw").status()).isEqualTo(401);
        assertThat(seen).isEmpty();
        assertThat(ask(protocol, server, "GET", "/").text()).isEqualTo("behind");
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void filter_thatSuspends_hasTheChainGoOn(Protocol protocol) throws Exception {
        Server server =
                start(b ->
                        b.before(exchange ->
                                        exchange.suspend(Duration.ofMinutes(1))
                                                .resumeAfter(Duration.ofMillis(1), mark("later ")))
                                .before(exchange ->
                                        exchange.suspend(Duration.ofMinutes(1))
                                                .resumeAfter(
                                                        Duration.ofMillis(1),
                                                        Handler.nonBlocking(mark("again "))))
                                .before(mark("then"))
                                .get("/", ANSWER)
                                .get("/loop", Handler.nonBlocking(ANSWER)));
        assertThat(ask(protocol, server, "GET", "/").text()).isEqualTo("later again then");
        assertThat(ask(protocol, server, "GET", "/loop").text()).isEqualTo("later again then");
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void after_isCalledOnceForEveryAnswer(Protocol protocol) throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Admission one = new Admission(1, 0, Duration.ofSeconds(1));
        Server server =
                start(b ->
                        b.maxBody(10)
                                .after((exchange, status) -> {
                                    seen.add(exchange.path() + " " + status);
                                    exchange.header("X-After", "yes");
                                })
                                .get("/ok", ANSWER)
                                .get(
                                        "/fails",
                                        exchange -> {
                                            throw new IOException("on purpose");
                                        })
                                .get(
                                        "/breaks",
                                        exchange -> {
                                            var body = exchange.body("text/plain");
                                            body.write(java.nio.ByteBuffer.allocate(3));
                                            body.flush();
                                            throw new IOException("on purpose");
                                        })
                                .get(
                                        "/one",
                                        exchange -> {
                                            running.countDown();
                                            goOn.await();
                                            ANSWER.handle(exchange);
                                        },
                                        _ -> one)
                                .post("/post", ANSWER));
        assertThat(ask(protocol, server, "GET", "/ok").header("X-After")).contains("yes");
        assertThat(ask(protocol, server, "GET", "/fails").header("X-After")).contains("yes");
        assertThat(ask(protocol, server, "GET", "/none").header("X-After")).contains("yes");
        assertThat(ask(protocol, server, "GET", "/post").header("X-After")).contains("yes");
        assertThat(ask(protocol, server, "OPTIONS", "/post").header("X-After")).contains("yes");
        assertThatThrownBy(() -> ask(protocol, server, "GET", "/breaks"))
                .isInstanceOf(IOException.class);
        try (TestClient first = protocol.connect(server.port());
                TestClient large = protocol.connect(server.port())) {
            first.get("/one");
            running.await();
            assertThat(ask(protocol, server, "GET", "/one").header("X-After")).contains("yes");
            goOn.countDown();
            assertThat(first.reply().status()).isEqualTo(200);
            assertThat(large.send("POST", "/post", new byte[11]).head().status()).isEqualTo(413);
        }
        assertThat(seen)
                .containsExactlyInAnyOrder(
                        "/ok 200",
                        "/fails 500",
                        "/none 404",
                        "/post 405",
                        "/post 204",
                        "/breaks 200",
                        "/one 503",
                        "/one 200",
                        "/post 413");
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void headers_thatRepeat_surviveAnError(Protocol protocol) throws Exception {
        Server server =
                start(b ->
                        b.get(
                                "/",
                                exchange -> {
                                    exchange.cookie(Cookie.of("a", "1"))
                                            .cookie(Cookie.of("b", "2").readableByScripts())
                                            .header("X-Kept", "yes")
                                            .header("ETag", "\"gone\"")
                                            .header("Cache-Control", "max-age=60");
                                    throw new HttpException(400, "on purpose");
                                }));
        Reply reply = ask(protocol, server, "GET", "/");
        assertThat(
                        reply.headers().stream()
                                .filter(line ->
                                        line.toLowerCase(java.util.Locale.ROOT)
                                                .startsWith("set-cookie")))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .containsExactly(
                        "a=1; Path=/; HttpOnly; SameSite=Lax", "b=2; Path=/; SameSite=Lax");
        assertThat(reply.header("X-Kept")).contains("yes");
        assertThat(reply.header("ETag")).isEmpty();
        assertThat(reply.header("Cache-Control")).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void errors_areAnsweredByTheInnermostAndMostSpecificHandler(Protocol protocol)
            throws Exception {
        Handler fails =
                exchange -> {
                    exchange.respond(200, "text/plain", "not this");
                    switch (exchange.query()) {
                        case "file" -> throw new FileNotFoundException("f");
                        case "state" -> throw new IllegalStateException("s");
                        case "argument" -> throw new IllegalArgumentException("a");
                        default -> throw new IOException("io");
                    }
                };
        Server server =
                start(b ->
                        b.onError(
                                        IOException.class,
                                        (e, exchange) ->
                                                exchange.respond(502, "text/plain", "outer io"))
                                .onError(
                                        HttpException.class,
                                        (e, exchange) ->
                                                exchange.respond(
                                                        e.status(), "text/plain", "no page"))
                                .onError(
                                        IllegalArgumentException.class,
                                        (e, exchange) -> {
                                            throw new IllegalStateException("again");
                                        })
                                .get("/", fails)
                                .get("/loop", Handler.nonBlocking(fails))
                                .group(
                                        "/in",
                                        in ->
                                                in.onError(
                                                                FileNotFoundException.class,
                                                                (e, exchange) ->
                                                                        exchange.respond(
                                                                                404,
                                                                                "text/plain",
                                                                                "inner file"))
                                                        .get("", fails)));
        for (String path : List.of("/", "/loop", "/in")) {
            assertThat(ask(protocol, server, "GET", path).text()).isEqualTo("outer io");
        }
        assertThat(ask(protocol, server, "GET", "/?file").text()).isEqualTo("outer io");
        assertThat(ask(protocol, server, "GET", "/in?file").text()).isEqualTo("inner file");
        assertThat(ask(protocol, server, "GET", "/none").text()).isEqualTo("no page");
        assertThat(ask(protocol, server, "PUT", "/in").status()).isEqualTo(405);
        assertThat(ask(protocol, server, "PUT", "/in").text()).isEqualTo("no page");
        assertThat(ask(protocol, server, "GET", "/?state").status()).isEqualTo(500);
        assertThat(ask(protocol, server, "GET", "/?argument").status()).isEqualTo(500);
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void fault_thatAnErrorHandlerAnswers_isLoggedUnlessItIsNone(Protocol protocol)
            throws Exception {
        Handler fails =
                _ -> {
                    throw new NullPointerException("on purpose");
                };
        Server server =
                start(b ->
                        b.onError(
                                        Exception.class,
                                        (failure, exchange) -> {
                                            if (exchange.query().equals("throws")) {
                                                throw new IllegalStateException("again", failure);
                                            }
                                            exchange.respond(
                                                    Integer.parseInt(exchange.query()),
                                                    "text/plain",
                                                    "sorry");
                                        })
                                .get("/thread", fails)
                                .get("/loop", Handler.nonBlocking(fails))
                                .get(
                                        "/told",
                                        _ -> {
                                            throw new HttpException(503, "later");
                                        }));
        try (LogLines log = new LogLines(Level.SEVERE)) {
            for (String path : List.of("/thread", "/loop", "/told")) {
                boolean fault = !path.equals("/told");
                String line = "GET " + path + " failed before its response";
                assertThat(ask(protocol, server, "GET", path + "?404").text()).isEqualTo("sorry");
                assertThat(log.containing(line)).isEmpty();
                assertThat(ask(protocol, server, "GET", path + "?500").text()).isEqualTo("sorry");
                assertThat(log.containing(line)).hasSize(fault ? 1 : 0);
                assertThat(ask(protocol, server, "GET", path + "?throws").status()).isEqualTo(500);
                assertThat(log.containing(line)).hasSize(fault ? 3 : 1);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void fault_whoseErrorHandlerWaitsForAClientThatLeaves_isLogged(Protocol protocol)
            throws Exception {
        Server server =
                start(b ->
                        b.onError(
                                        NullPointerException.class,
                                        (_, exchange) -> exchange.suspend(Duration.ofMinutes(1)))
                                .get(
                                        "/left",
                                        _ -> {
                                            throw new NullPointerException("on purpose");
                                        }));
        try (LogLines log = new LogLines(Level.SEVERE)) {
            try (TestClient client = protocol.connect(server.port())) {
                client.get("/left");
                await("waits", () -> server.waiting() == 1 && server.running() == 0);
            }
            await("logged", () -> log.containing("GET /left failed before its").size() == 1);
        }
    }
}
