package dev.penstock.http.filter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.AccessLogFormat;
import dev.penstock.http.AttributeKey;
import dev.penstock.http.Exchange;
import dev.penstock.http.FinishedRequest;
import dev.penstock.http.Handler;
import dev.penstock.http.HttpException;
import dev.penstock.http.RequestObserver;
import dev.penstock.http.server.Protocol;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerFixture;
import dev.penstock.http.server.TestClient;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests of observers of requests, and of what is said of them in the log. */
final class ObserverIT extends ServerFixture {
    private static final AttributeKey<String> USER = AttributeKey.logged("user", name -> name);

    private final Queue<String> seen = new ConcurrentLinkedQueue<>();
    private final Queue<String> lines = new ConcurrentLinkedQueue<>();
    private final ThreadLocal<String> current = new ThreadLocal<>();

    /** Keeps the route of the request with the thread that its code runs on. */
    private final class Follower implements RequestObserver {
        @Override
        public Observation begin(Exchange exchange) {
            String name = exchange.method() + " " + exchange.route().orElse("?");
            seen.add("begin " + name);
            return new Observation() {
                @Override
                public Scope enter() {
                    assertThat(current.get()).isNull();
                    current.set(name);
                    return current::remove;
                }

                @Override
                public void failed(Throwable failure) {
                    seen.add("failed " + failure.getMessage());
                }

                @Override
                public void finished(FinishedRequest request) {
                    seen.add("finished " + request.status());
                }
            };
        }
    }

    private final Handler tell =
            exchange -> exchange.respond(200, "text/plain", String.valueOf(current.get()));

    private String ask(Protocol protocol, Server server, String path) throws Exception {
        try (TestClient client = protocol.connect(server.port())) {
            return client.get(path).reply().text();
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void observer_isThereWhereverCodeOfTheRequestRuns(Protocol protocol) throws Exception {
        Handler waits =
                exchange ->
                        exchange.suspend(Duration.ofMinutes(1))
                                .resumeAfter(Duration.ofMillis(1), tell);
        Server server =
                start(b ->
                        b.observer(new Follower())
                                .observer(_ -> {
                                    throw new IllegalStateException("on purpose");
                                })
                                .before(exchange ->
                                        exchange.header("X-Before", String.valueOf(current.get())))
                                .get("/thread/{id}", tell)
                                .get("/waits", waits)
                                .get(
                                        "/fails",
                                        _ -> {
                                            throw new HttpException(409, "on purpose");
                                        }));
        assertThat(ask(protocol, server, "/thread/1")).isEqualTo("GET /thread/{id}");
        assertThat(ask(protocol, server, "/waits")).isEqualTo("GET /waits");
        assertThat(ask(protocol, server, "/fails")).contains("on purpose");
        assertThat(ask(protocol, server, "/none")).contains("404");
        await("all are finished", () -> seen.size() == 10);
        assertThat(seen)
                .contains(
                        "begin GET /thread/{id}",
                        "begin GET /waits",
                        "begin GET /fails",
                        "begin GET ?",
                        "failed on purpose",
                        "finished 200",
                        "finished 409",
                        "finished 404");
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void observer_ofANonBlockingHandler_leavesTheLoop(Protocol protocol) throws Exception {
        Server server =
                start(b ->
                        b.eventLoops(1)
                                .observer(new Follower())
                                .get("/a", Handler.nonBlocking(tell))
                                .get(
                                        "/b",
                                        Handler.nonBlocking(exchange ->
                                                exchange.suspend(Duration.ofMinutes(1))
                                                        .resumeAfter(
                                                                Duration.ofMillis(1),
                                                                Handler.nonBlocking(tell)))));
        for (int i = 0; i < 3; i++) {
            assertThat(ask(protocol, server, "/a")).isEqualTo("GET /a");
            assertThat(ask(protocol, server, "/b")).isEqualTo("GET /b");
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void log_hasTheRequestIdTheTraceAndAttributesOfOnesOwn(Protocol protocol) throws Exception {
        Server server =
                start(b ->
                        b.onFinished(request ->
                                        lines.add(
                                                AccessLogFormat.JSON.line(Instant.EPOCH, request)
                                                        + AccessLogFormat.TEXT.line(
                                                                Instant.EPOCH, request)))
                                .filter(RequestId.ofClientOrMade())
                                .filter(TraceContext.filter())
                                .get(
                                        "/",
                                        exchange -> {
                                            exchange.attribute(USER, "a\"b\nc");
                                            exchange.respond(
                                                    200,
                                                    "text/plain",
                                                    exchange.attribute(TraceContext.KEY)
                                                            .orElseThrow()
                                                            .header());
                                        }));
        String trace = "0af7651916cd43dd8448eb211c80319c";
        try (TestClient client = protocol.connect(server.port())) {
            String passedOn =
                    client.get(
                                    "/",
                                    "X-Request-Id",
                                    "r-1",
                                    "traceparent",
                                    "00-" + trace + "-b7ad6b7169203331-01")
                            .reply()
                            .text();
            assertThat(passedOn).matches("00-" + trace + "-(?!b7ad6b7169203331)[0-9a-f]{16}-01");
            await("it is logged", () -> lines.size() == 1);
            assertThat(lines.peek())
                    .contains("\"requestId\":\"r-1\"")
                    .contains("\"traceId\":\"" + trace + "\"")
                    .contains("\"spanId\":\"" + passedOn.substring(36, 52) + "\"")
                    .contains("\"user\":\"a\\\"b\\u000ac\"")
                    .contains("requestId=r-1 spanId=")
                    .contains("user=a\"b?c");
        }
        lines.clear();
        try (TestClient client = protocol.connect(server.port())) {
            var reply =
                    client.get("/", "X-Request-Id", "no name", "traceparent", "nonsense").reply();
            assertThat(reply.header("X-Request-Id").orElseThrow()).matches("[0-9a-f]{32}");
            assertThat(reply.text()).matches("00-[0-9a-f]{32}-[0-9a-f]{16}-00");
            await("it is logged", () -> lines.size() == 1);
            assertThat(lines.peek())
                    .contains(reply.header("X-Request-Id").orElseThrow())
                    .contains(reply.text().substring(3, 35));
        }
        assertThat(List.copyOf(lines)).hasSize(1);
    }
}
