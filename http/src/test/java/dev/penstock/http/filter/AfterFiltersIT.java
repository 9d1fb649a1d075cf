package dev.penstock.http.filter;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.AfterFilter;
import dev.penstock.http.Handler;
import dev.penstock.http.HttpException;
import dev.penstock.http.server.Protocol;
import dev.penstock.http.server.RawClient;
import dev.penstock.http.server.RawClient.Reply;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerFixture;
import dev.penstock.http.server.TestClient;
import dev.penstock.http.websocket.WebSocket;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests of what filters for the response see and may do. */
@Tag("any-loops")
final class AfterFiltersIT extends ServerFixture {
    private static final Handler ANSWER = exchange -> exchange.respond(200, "text/plain", "answer");

    private final Queue<String> seen = new ConcurrentLinkedQueue<>();

    private static Reply ask(
            Protocol protocol, Server server, String method, String path, String... headers)
            throws IOException {
        try (TestClient client = protocol.connect(server.port())) {
            return client.send(method, path, headers).reply();
        }
    }

    /** Adds a header when something else has happened. */
    private static AfterFilter adding(String name, ExecutorService elsewhere, Handler then) {
        return (exchange, _) ->
                exchange.suspend(Duration.ofMinutes(1))
                        .resumeWhen(
                                CompletableFuture.supplyAsync(() -> name, elsewhere),
                                (later, value) -> {
                                    later.header(value, "yes");
                                    then.handle(later);
                                });
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void after_thatSuspends_holdsTheHeadBack(Protocol protocol) throws Exception {
        try (ExecutorService elsewhere = Executors.newVirtualThreadPerTaskExecutor()) {
            Server server =
                    start(b ->
                            b.after(adding("X-First", elsewhere, _ -> {}))
                                    .after(adding("X-Second", elsewhere, _ -> {}))
                                    .after((exchange, _) -> exchange.header("X-Third", "yes"))
                                    .get("/", ANSWER)
                                    .get("/loop", Handler.nonBlocking(ANSWER))
                                    .get(
                                            "/fails",
                                            _ -> {
                                                throw new HttpException(400, "on purpose");
                                            })
                                    .get(
                                            "/streams",
                                            exchange -> {
                                                var body = exchange.body("text/plain");
                                                body.write(ByteBuffer.wrap("ans".getBytes(UTF_8)));
                                                body.flush();
                                                body.write(ByteBuffer.wrap("wer".getBytes(UTF_8)));
                                            })
                                    .get(
                                            "/large",
                                            exchange ->
                                                    exchange.respond(
                                                            200, "text/plain", new byte[200_000]))
                                    .get(
                                            "/suspends",
                                            exchange ->
                                                    exchange.suspend(Duration.ofMinutes(1))
                                                            .resumeAfter(
                                                                    Duration.ofMillis(1),
                                                                    Handler.nonBlocking(ANSWER))));
            for (String path :
                    new String[] {
                        "/", "/loop", "/fails", "/streams", "/large", "/suspends", "/none"
                    }) {
                Reply reply = ask(protocol, server, "GET", path);
                for (String name : new String[] {"X-First", "X-Second", "X-Third"}) {
                    assertThat(reply.header(name)).as(path + " " + name).contains("yes");
                }
            }
            assertThat(ask(protocol, server, "GET", "/streams").text()).isEqualTo("answer");
            assertThat(ask(protocol, server, "GET", "/loop").text()).isEqualTo("answer");
            assertThat(ask(protocol, server, "GET", "/fails").status()).isEqualTo(400);
            assertThat(ask(protocol, server, "PUT", "/").status()).isEqualTo(405);
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void after_thatFailsOrAnswers_changesNothing(Protocol protocol) throws Exception {
        try (ExecutorService elsewhere = Executors.newVirtualThreadPerTaskExecutor()) {
            Server server =
                    start(b ->
                            b.after(
                                            (_, _) -> {
                                                throw new IOException("on purpose");
                                            })
                                    .after((exchange, _) -> exchange.status(500))
                                    .after((exchange, _) ->
                                            exchange.respond(500, "text/plain", "no"))
                                    .after(
                                            adding(
                                                    "X-Late",
                                                    elsewhere,
                                                    _ -> {
                                                        throw new IOException("on purpose");
                                                    }))
                                    .after((exchange, _) -> {
                                        var _ = exchange.suspend(Duration.ofMinutes(1));
                                        throw new IOException("on purpose");
                                    })
                                    .after((exchange, _) -> exchange.suspend(Duration.ofMillis(1)))
                                    .after((exchange, _) -> exchange.header("X-Last", "yes"))
                                    .get("/", ANSWER)
                                    .get("/loop", Handler.nonBlocking(ANSWER))
                                    .get(
                                            "/streams",
                                            exchange -> {
                                                exchange.body("text/plain")
                                                        .write(
                                                                ByteBuffer.wrap(
                                                                        "answer".getBytes(UTF_8)));
                                                exchange.body("never");
                                            }));
            for (String path : new String[] {"/", "/loop"}) {
                Reply reply = ask(protocol, server, "GET", path);
                assertThat(reply.status()).isEqualTo(200);
                assertThat(reply.text()).isEqualTo("answer");
                assertThat(reply.header("X-Late")).contains("yes");
                assertThat(reply.header("X-Last")).contains("yes");
            }
            assertThat(ask(protocol, server, "GET", "/streams").status()).isEqualTo(500);
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void after_ofTheServer_seesWhatIsNoRequest(Protocol protocol) throws Exception {
        Server server =
                start(b ->
                        b.maxHeaders(10, 1000)
                                .maxRequestLine(200)
                                .filter(RequestId.made())
                                .after((exchange, status) -> {
                                    seen.add(exchange.path() + " " + status);
                                    exchange.header("X-After", "yes");
                                })
                                .get("/", ANSWER));
        String[] many = new String[60];
        for (int i = 0; i < many.length; i += 2) {
            many[i] = "X-" + i;
            many[i + 1] = "1";
        }
        Reply tooMany = ask(protocol, server, "GET", "/", many);
        assertThat(tooMany.status()).isEqualTo(431);
        assertThat(tooMany.header("X-After")).contains("yes");
        assertThat(tooMany.header("X-Request-Id")).isPresent();
        // Beyond what HTTP/2's decoder unpacks at all.
        Reply tooLong = ask(protocol, server, "GET", "/", "X-Long", "x".repeat(1600));
        assertThat(tooLong.status()).isEqualTo(431);
        assertThat(tooLong.header("X-After")).contains("yes");
        Reply longPath = ask(protocol, server, "GET", "/" + "x".repeat(300));
        assertThat(longPath.status()).isEqualTo(414);
        assertThat(longPath.header("X-After")).contains("yes");
        assertThat(seen).containsExactly("- 431", "- 431", "- 414");
    }

    @Test
    void after_ofTheServer_seesMalformedRequests() throws Exception {
        Server server =
                start(b ->
                        b.after((exchange, _) -> exchange.header("X-After", "yes"))
                                .get("/", ANSWER)
                                .clientConnections(1));
        try (RawClient client = new RawClient(server.port())) {
            Reply reply = client.send("GET / HTTP/1.1\r\nHost: x\r\nBad Name: 1\r\n\r\n").reply();
            assertThat(reply.status()).isEqualTo(400);
            assertThat(reply.header("X-After")).contains("yes");
        }
        await("no connection", () -> server.connections() == 0);
        try (RawClient first = new RawClient(server.port())) {
            assertThat(first.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n").reply().status())
                    .isEqualTo(200);
            try (RawClient second = new RawClient(server.port())) {
                Reply reply = second.reply();
                assertThat(reply.status()).isEqualTo(429);
                assertThat(reply.header("X-After")).contains("yes");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void after_ofAClientThatHasGone_seesNoStatus(Protocol protocol) throws Exception {
        CompletableFuture<Void> begun = new CompletableFuture<>();
        Server server =
                start(b ->
                        b.after((_, status) -> seen.add("status " + status))
                                .get(
                                        "/",
                                        exchange ->
                                                exchange.suspend(Duration.ofMinutes(1))
                                                        .onCancel(() -> seen.add("cancelled"))
                                                        .resumeWhen(begun, (_, _) -> {})));
        try (TestClient client = protocol.connect(server.port())) {
            client.get("/");
            await("it waits", () -> server.waiting() == 1);
            client.cancel();
        }
        await("all is seen", () -> seen.size() == 2);
        assertThat(seen).containsExactlyInAnyOrder("cancelled", "status 0");
    }

    @Test
    void after_ofAWebSocket_addsToItsHead() throws Exception {
        Server server =
                start(b ->
                        b.filter(RequestId.made())
                                .after((exchange, status) -> {
                                    exchange.header("X-Status", "" + status);
                                    var _ = exchange.suspend(Duration.ofMinutes(1));
                                })
                                .get(
                                        "/",
                                        exchange ->
                                                WebSocket.open(
                                                        exchange, new WebSocket.Listener() {})));
        try (RawClient client = new RawClient(server.port())) {
            client.send(
                    """
                    GET / HTTP/1.1\r
                    Host: x\r
                    Upgrade: websocket\r
                    Connection: Upgrade\r
                    Sec-WebSocket-Version: 13\r
                    Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
                    \r
                    """);
            Reply head = client.head();
            assertThat(head.status()).isEqualTo(101);
            assertThat(head.header("X-Status")).contains("101");
            assertThat(head.header("X-Request-Id")).isPresent();
        }
    }
}
