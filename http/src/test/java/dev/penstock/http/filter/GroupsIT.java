package dev.penstock.http.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.http.Admission;
import dev.penstock.http.AttributeKey;
import dev.penstock.http.Handler;
import dev.penstock.http.HttpException;
import dev.penstock.http.server.Protocol;
import dev.penstock.http.server.RawClient.Reply;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerFixture;
import dev.penstock.http.server.TestClient;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests of what the routes of a group have in common. */
@Tag("any-loops")
final class GroupsIT extends ServerFixture {
    private static final AttributeKey<String> TRAIL = AttributeKey.of("trail");

    private static final Handler ANSWER =
            exchange ->
                    exchange.respond(
                            200,
                            "text/plain",
                            exchange.route().orElse("?") + exchange.attribute(TRAIL).orElse(""));

    private static Handler mark(String name) {
        return exchange -> exchange.attribute(TRAIL, exchange.attribute(TRAIL).orElse("") + name);
    }

    private static Reply ask(Protocol protocol, Server server, String method, String path)
            throws IOException {
        try (TestClient client = protocol.connect(server.port())) {
            return client.send(method, path).reply();
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void group_withoutPrefix_hasItsFiltersAlone(Protocol protocol) throws Exception {
        Server server =
                start(b ->
                        b.group(
                                        "",
                                        known ->
                                                known.before(
                                                                _ -> {
                                                                    throw new HttpException(
                                                                            401, "who");
                                                                })
                                                        .get("/private", ANSWER))
                                .get("/public", ANSWER));
        assertThat(ask(protocol, server, "GET", "/public").text()).isEqualTo("/public");
        assertThat(ask(protocol, server, "GET", "/private").status()).isEqualTo(401);
        assertThat(ask(protocol, server, "PUT", "/private").status())
                .as("nothing of what is there is told to strangers")
                .isEqualTo(401);
        assertThat(ask(protocol, server, "GET", "/none").status()).isEqualTo(404);
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void group_ofAPrefix_hasWhatNoRouteAnswers(Protocol protocol) throws Exception {
        Server server =
                start(b ->
                        b.group(
                                "/api/{tenant}",
                                api ->
                                        api.after((exchange, status) ->
                                                        exchange.header("X-Api", "" + status))
                                                .get("/x", ANSWER)));
        assertThat(ask(protocol, server, "GET", "/api/a/x").text()).isEqualTo("/api/{tenant}/x");
        assertThat(ask(protocol, server, "GET", "/api/a/x").header("X-Api")).contains("200");
        assertThat(ask(protocol, server, "HEAD", "/api/a/x").header("X-Api")).contains("200");
        assertThat(ask(protocol, server, "GET", "/api/a/none").header("X-Api")).contains("404");
        assertThat(ask(protocol, server, "PUT", "/api/a/x").header("X-Api")).contains("405");
        assertThat(ask(protocol, server, "PUT", "/api/a/x").header("Allow"))
                .contains("GET, HEAD, OPTIONS");
        assertThat(ask(protocol, server, "OPTIONS", "/api/a/x").header("X-Api")).contains("204");
        assertThat(ask(protocol, server, "GET", "/other").header("X-Api")).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void routes_ofSeveralMethodsAndPaths_areAnswered(Protocol protocol) throws Exception {
        Server server =
                start(b ->
                        b.route(List.of("PUT", "PURGE"), List.of("/a", "/b/{id}"), ANSWER)
                                .route("M-SEARCH", "/a", ANSWER)
                                .patch("/a", ANSWER));
        for (String method : List.of("PUT", "PURGE", "M-SEARCH", "PATCH")) {
            assertThat(ask(protocol, server, method, "/a").text()).as(method).isEqualTo("/a");
        }
        assertThat(ask(protocol, server, "PURGE", "/b/1").text()).isEqualTo("/b/{id}");
        assertThat(ask(protocol, server, "GET", "/a").header("Allow"))
                .contains("M-SEARCH, OPTIONS, PATCH, PURGE, PUT");
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void group_withAdmission_bounds_itsRoutes(Protocol protocol) throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Admission one = new Admission(1, 0, Duration.ofSeconds(1));
        Admission other = new Admission(1, 0, Duration.ofSeconds(1));
        Handler waits =
                exchange -> {
                    running.countDown();
                    goOn.await();
                    ANSWER.handle(exchange);
                };
        Server server =
                start(b ->
                        b.group(
                                "/bulk",
                                bulk ->
                                        bulk.admission(one)
                                                .get("/waits", waits)
                                                .get("/own", ANSWER, _ -> other)
                                                .group(
                                                        "/in",
                                                        in ->
                                                                in.get("/side", ANSWER)
                                                                        .get(
                                                                                "/loop",
                                                                                Handler.nonBlocking(
                                                                                        ANSWER)))));
        try (TestClient first = protocol.connect(server.port())) {
            first.get("/bulk/waits");
            running.await();
            assertThat(ask(protocol, server, "GET", "/bulk/in/side").status()).isEqualTo(503);
            assertThat(ask(protocol, server, "GET", "/bulk/in/loop").status()).isEqualTo(503);
            assertThat(ask(protocol, server, "GET", "/bulk/own").status()).isEqualTo(200);
            goOn.countDown();
            assertThat(first.reply().status()).isEqualTo(200);
        }
        await("no permit is left out", () -> one.runningNow() == 0);
        assertThat(ask(protocol, server, "GET", "/bulk/in/loop").status()).isEqualTo(200);
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void group_withALimitOfBodies_hasItAlone(Protocol protocol) throws Exception {
        Handler length =
                exchange ->
                        exchange.respond(
                                200, "text/plain", "" + exchange.readBytes(1_000_000).length);
        Server server =
                start(b ->
                        b.maxBody(1000)
                                .post("/usual", length)
                                .group("/large", g -> g.maxBody(100_000).post("", length))
                                .group("/small", g -> g.maxBody(10).post("", length)));
        for (String[] each :
                new String[][] {{"/usual", "1000"}, {"/large", "100000"}, {"/small", "10"}}) {
            int most = Integer.parseInt(each[1]);
            try (TestClient client = protocol.connect(server.port())) {
                assertThat(client.send("POST", each[0], new byte[most]).reply().text())
                        .isEqualTo(each[1]);
            }
            try (TestClient client = protocol.connect(server.port())) {
                client.send("POST", each[0], new byte[most + 1]);
                assertThat(client.head().status()).as(each[0]).isEqualTo(413);
            }
            try (TestClient client = protocol.connect(server.port())) {
                client.begin("POST", each[0]).part(new byte[most]).part(new byte[1]);
                assertThat(client.head().status()).as(each[0] + " in parts").isEqualTo(413);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void errorHandler_ofAnUnknownPath_mayBlock(Protocol protocol) throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        Server server =
                start(b ->
                        b.before(Handler.nonBlocking(mark("!")))
                                .onError(
                                        HttpException.class,
                                        (failure, exchange) -> {
                                            goOn.await();
                                            assertThat(Thread.currentThread().isVirtual()).isTrue();
                                            exchange.respond(
                                                    failure.status(),
                                                    "text/plain",
                                                    exchange.attribute(TRAIL).orElse(""));
                                        })
                                .admission(new Admission(1, 10, Duration.ofMinutes(1))));
        try (TestClient first = protocol.connect(server.port());
                TestClient second = protocol.connect(server.port())) {
            first.get("/none");
            second.get("/none");
            await("one runs, one is queued", () -> server.admission().waitingNow() == 1);
            goOn.countDown();
            for (TestClient client : List.of(first, second)) {
                Reply reply = client.reply();
                assertThat(reply.status()).isEqualTo(404);
                assertThat(reply.text()).isEqualTo("!");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void errorHandler_isNotAskedAboutTheServersRefusals(Protocol protocol) throws Exception {
        Server server =
                start(b ->
                        b.onError(
                                        HttpException.class,
                                        (failure, exchange) ->
                                                exchange.respond(599, "text/plain", "asked"))
                                .maxBody(10)
                                .post(
                                        "/",
                                        exchange ->
                                                exchange.respond(
                                                        200, "text/plain", exchange.readBytes(5)))
                                .get(
                                        "/full",
                                        ANSWER,
                                        _ -> {
                                            throw new HttpException(503, "on purpose");
                                        }));
        try (TestClient client = protocol.connect(server.port())) {
            assertThat(client.send("POST", "/", new byte[11]).head().status()).isEqualTo(413);
        }
        try (TestClient client = protocol.connect(server.port())) {
            assertThat(client.send("POST", "/", new byte[6]).reply().text()).isEqualTo("asked");
        }
        assertThat(ask(protocol, server, "GET", "/full").status()).isEqualTo(503);
    }

    @Test
    void group_thatMakesNoSense_isRefused() {
        for (String prefix : List.of("a", "/a/", "/", "/{rest...}", "/{}")) {
            assertThatThrownBy(() -> Server.builder().group(prefix, g -> g.get("/x", ANSWER)))
                    .as(prefix)
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> Server.builder().group("", g -> g.get("", ANSWER)))
                .hasMessageContaining("must start with a slash");
        assertThatThrownBy(() ->
                        Server.builder()
                                .group(
                                        "/a",
                                        g ->
                                                g.onError(IOException.class, (_, _) -> {})
                                                        .onError(IOException.class, (_, _) -> {})))
                .hasMessageContaining("The group /a has an error handler for java.io.IOException");
        assertThatThrownBy(() -> Server.builder().group("/a", g -> g.maxBody(-1)))
                .hasMessageContaining("maxBody");
    }
}
