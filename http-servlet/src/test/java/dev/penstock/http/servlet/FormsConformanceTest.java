package dev.penstock.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.Cookie;
import dev.penstock.http.Exchange;
import dev.penstock.http.form.FormCase;
import dev.penstock.http.server.Protocol;
import dev.penstock.http.server.RawClient.Reply;
import dev.penstock.http.server.ServerBuilder;
import dev.penstock.http.server.TestClient;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Requests with bodies, whole and malformed, wherever handlers run, over each protocol. */
@Tag("any-loops")
@Timeout(300)
@ParameterizedClass
@MethodSource("dev.penstock.http.servlet.Container#overEachProtocol")
final class FormsConformanceTest {
    private static final int MOST_TRIES = 100;

    private final Container container;
    private final Protocol protocol;
    private final AtomicInteger handled = new AtomicInteger();
    private @Nullable Running running;

    FormsConformanceTest(Container container, Protocol protocol) {
        this.container = container;
        this.protocol = protocol;
    }

    private Running start(ServerBuilder routes) throws Exception {
        Running started = container.start(routes.accessLog(false), "/*", 60_000);
        running = started;
        return started;
    }

    @AfterEach
    void stop() throws Exception {
        if (running != null) {
            running.stopAll();
        }
    }

    private Reply send(Running at, String method, String path, String... headers)
            throws IOException {
        try (TestClient client = protocol.connect(at.port())) {
            return client.send(method, at.path(path), headers).reply();
        }
    }

    @Test
    void bodies_wholeAndMalformed_areAnsweredAsTheyAreToBe() throws Exception {
        Running at = start(FormCase.routes(Container.builder()));
        Random random = new Random(6);
        for (FormCase one : FormCase.all()) {
            for (boolean lengthTold : new boolean[] {true, false}) {
                Reply reply = reply(at, one, lengthTold, random);
                if (reply != null) {
                    String what =
                            one
                                    + (lengthTold ? ": " : ", length not told: ")
                                    + reply.status()
                                    + " "
                                    + reply.text();
                    assertThat(reply.status()).as(what).isEqualTo(one.status());
                    assertThat(reply.text()).as(what).contains(one.contains());
                }
            }
        }
    }

    /** The response; null where a container has closed the connection on a client that was still sending. */
    private @Nullable Reply reply(Running at, FormCase one, boolean lengthTold, Random random)
            throws IOException {
        for (int i = 0; ; i++) {
            try (TestClient client = protocol.connect(at.port())) {
                send(client, at, one, lengthTold, random);
                return client.reply();
            } catch (SocketTimeoutException e) {
                throw e;
            } catch (IOException e) {
                assertThat(one.status()).as(one + ": " + e).isGreaterThanOrEqualTo(400);
                if (one.body().length > 10_000) {
                    return null;
                }
                // The end of a short body may have crossed the answer, but not always.
                assertThat(i).as(one + ": " + e).isLessThan(MOST_TRIES);
            }
        }
    }

    private void send(
            TestClient client, Running at, FormCase one, boolean lengthTold, Random random)
            throws IOException {
        String[] headers = headers(one).toArray(String[]::new);
        if (lengthTold) {
            client.send("POST", at.path(one.path()), one.body(), headers);
        } else {
            client.begin("POST", at.path(one.path()), headers);
            sendInPieces(client, one.body(), random);
        }
    }

    private static List<String> headers(FormCase one) {
        List<String> headers = new ArrayList<>();
        if (one.contentType() != null) {
            headers.addAll(List.of("Content-Type", one.contentType()));
        }
        if (!one.coding().isEmpty()) {
            headers.addAll(List.of("Content-Encoding", one.coding()));
        }
        return headers;
    }

    private static void sendInPieces(TestClient client, byte[] body, Random random)
            throws IOException {
        for (int at = 0; at < body.length; ) {
            int count = Math.min(body.length - at, 1 + random.nextInt(20_000));
            client.part(Arrays.copyOfRange(body, at, at + count));
            at += count;
        }
        client.end();
    }

    private static void answer(Exchange exchange, String text) {
        exchange.respond(200, "text/plain; charset=utf-8", text);
    }

    private static List<String> cookies(Reply reply) {
        return reply.headers().stream()
                .filter(line -> line.toLowerCase(Locale.ROOT).startsWith("set-cookie:"))
                .map(line -> line.substring("set-cookie:".length()).strip())
                .toList();
    }

    @Test
    void cookiesConditionsAndRedirects_areTheHandlers() throws Exception {
        Running at =
                start(
                        Container.builder()
                                .get("/cookie", x -> answer(x, x.cookie("a").orElse("none")))
                                .get(
                                        "/set",
                                        x ->
                                                answer(
                                                        x.cookie(Cookie.of("a", "1"))
                                                                .cookie(Cookie.of("b", "2")),
                                                        "set"))
                                .get("/to", x -> x.redirect(303, x.parameter("where").orElse("/")))
                                .get(
                                        "/version",
                                        x -> {
                                            if (!x.notModified("\"v1\"", null)) {
                                                answer(x, "version 1");
                                            }
                                        }));
        assertThat(send(at, "GET", "/cookie", "Cookie", "b=2; a=\"1\"").text()).isEqualTo("1");
        assertThat(send(at, "GET", "/cookie", "Cookie", "b=2", "Cookie", "a=3; a=4").text())
                .isEqualTo("3");
        assertThat(cookies(send(at, "GET", "/set")))
                .containsExactly(
                        "a=1; Path=/; HttpOnly; SameSite=Lax",
                        "b=2; Path=/; HttpOnly; SameSite=Lax");
        Reply moved = send(at, "GET", "/to?where=/there%3Fa=b");
        assertThat(moved.status()).isEqualTo(303);
        assertThat(moved.header("Location").orElseThrow()).endsWith("/there?a=b");
        assertThat(send(at, "GET", "/version", "If-None-Match", "W/\"v1\"").status())
                .isEqualTo(304);
        assertThat(send(at, "GET", "/version", "If-None-Match", "\"v0\"").text())
                .isEqualTo("version 1");
        assertThat(send(at, "GET", "/version", "If-Match", "\"v0\"").status()).isEqualTo(412);
        for (String where : List.of("%0D%0AX-Injected:1", "/%0A", "/%20", "/%C3%BC")) {
            Reply reply = send(at, "GET", "/to?where=" + where);
            assertThat(reply.status()).as(where).isEqualTo(500);
            assertThat(reply.header("Location")).as(where).isEmpty();
            assertThat(reply.header("X-Injected")).as(where).isEmpty();
        }
    }

    @Test
    void cookie_ofTextThatSplitsHeaders_isNotSet() throws Exception {
        Running at =
                start(
                        Container.builder()
                                .post(
                                        "/echo",
                                        x ->
                                                answer(
                                                        x.cookie(
                                                                Cookie.of("echo", x.readText(100))),
                                                        "set")));
        for (String text : List.of("x\r\nX-Injected: 1", "x; Domain=evil.example", "x\n", "x\0")) {
            try (TestClient client = protocol.connect(at.port())) {
                byte[] body = text.getBytes(StandardCharsets.US_ASCII);
                Reply reply = client.send("POST", at.path("/echo"), body).reply();
                assertThat(reply.status()).as(text).isEqualTo(500);
                assertThat(cookies(reply)).as(text).isEmpty();
                assertThat(reply.header("X-Injected")).as(text).isEmpty();
            }
        }
    }

    @Test
    void typesOfARequest_areNegotiatedOrRefused() throws Exception {
        Running at =
                start(
                        Container.builder()
                                .get(
                                        "/negotiated",
                                        x ->
                                                x.respond(
                                                        200,
                                                        x.negotiate(
                                                                "application/json", "text/html"),
                                                        "{}"))
                                .post(
                                        "/type",
                                        x -> answer(x, x.contentType().orElseThrow().name())));
        assertThat(send(at, "GET", "/negotiated").header("Content-Type"))
                .contains("application/json");
        assertThat(
                        send(at, "GET", "/negotiated", "Accept", "text/*, */*;q=0.1")
                                .header("Content-Type")
                                .orElseThrow())
                .startsWith("text/html");
        Reply none = send(at, "GET", "/negotiated", "Accept", "image/png");
        assertThat(none.status()).isEqualTo(406);
        assertThat(none.text()).contains("application/json, text/html");
        try (TestClient client = protocol.connect(at.port())) {
            String[] types = {"Content-Type", "text/plain", "Content-Type", "text/html"};
            Reply reply = client.send("POST", at.path("/type"), new byte[1], types).reply();
            assertThat(reply.status()).isEqualTo(400);
        }
    }

    /** In a container the bounds are its own. No handler runs, and the client is told, or thrown out at once. */
    @Test
    void heads_beyondTheirBounds_reachNoHandler() throws Exception {
        Running at =
                start(
                        Container.builder()
                                .get(
                                        "/{rest...}",
                                        x -> {
                                            handled.incrementAndGet();
                                            answer(x, "a");
                                        }));
        String[] many = new String[3_000];
        for (int i = 0; i < many.length; i += 2) {
            many[i] = "X-" + i;
            many[i + 1] = "1";
        }
        checkRefused(at, "a path", "/" + "a".repeat(100_000));
        checkRefused(at, "a query", "/?" + "a=b&".repeat(25_000));
        checkRefused(at, "a cookie", "/", "Cookie", "a=" + "b".repeat(100_000));
        checkRefused(at, "a header", "/", "X-Long", "b".repeat(100_000));
        checkRefused(at, "headers", "/", many);
        assertThat(send(at, "GET", "/").text()).isEqualTo("a");
        assertThat(handled).hasValue(1);
    }

    private void checkRefused(Running at, String what, String path, String... headers) {
        try {
            assertThat(send(at, "GET", path, headers).status()).as(what).isIn(400, 414, 431);
        } catch (IOException thrownOut) {
            assertThat(thrownOut).as(what).isNotInstanceOf(SocketTimeoutException.class);
        }
        assertThat(handled).as(what).hasValue(0);
    }
}
