package dev.penstock.bench.client;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LoadClientIT {
    private static final String WHOLE =
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n<tr>\r\n0\r\n\r\n";
    private static final Duration LONG = Duration.ofSeconds(30);

    private static Load.Group group(int clients, int requests, Duration interval) {
        return new Load.Group("/", clients, new Load.Expected(4, 4, ">", "<tr", 1))
                .requests(requests)
                .every(interval);
    }

    private static LoadFigures run(TinyServer server, Duration window, Load.Group group)
            throws Exception {
        return Objects.requireNonNull(
                LoadClient.run(new Load(server.port(), Duration.ZERO, window, List.of(group)))
                        .get("all"));
    }

    @Test
    void run_thousandClients_eachGetsItsAnswers() throws Exception {
        try (TinyServer server = TinyServer.answering(WHOLE, Duration.ZERO, 1024)) {
            LoadFigures figures = run(server, LONG, group(1024, 3, Duration.ZERO));

            assertThat(figures.completed()).isEqualTo(3 * 1024);
            assertThat(figures.failures()).isEmpty();
            assertThat(figures.pending()).isZero();
            assertThat(figures.meanBytes()).isEqualTo(4);
            assertThat(figures.firstByte().p50()).isPositive();
            assertThat(figures.firstRow().p50()).isPositive();
            assertThat(server.requests()).isEqualTo(3 * 1024);
        }
    }

    @Test
    void run_truncatedAndRefused_countAsFailuresByKind() throws Exception {
        TinyServer.Script script =
                (request, out) -> {
                    String response =
                            switch (request) {
                                case 0 -> WHOLE.substring(0, WHOLE.length() - 5);
                                case 1 -> "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n";
                                default -> WHOLE;
                            };
                    out.write(response.getBytes(ISO_8859_1));
                    return request > 0;
                };
        try (TinyServer server = new TinyServer(script)) {
            LoadFigures figures = run(server, LONG, group(1, 4, Duration.ZERO));

            assertThat(figures.failures()).isEqualTo(Map.of("truncated", 1L, "status 503", 1L));
            assertThat(figures.completed()).isEqualTo(2);
        }
    }

    /** Refuses the second request of its only client, and wants the cookie of its first answer from then on. */
    private static void answer(HttpExchange exchange, AtomicInteger requests) throws IOException {
        int request = requests.getAndIncrement();
        String path = exchange.getRequestURI().getPath();
        exchange.getResponseHeaders()
                .set(request == 0 ? "Set-Cookie" : "X-Other", "id=7; HttpOnly");
        exchange.getResponseHeaders().set("Retry-After", "1");
        boolean isKnown =
                "id=7".equals(exchange.getRequestHeaders().getFirst("Cookie")) || request == 0;
        byte[] body = (isKnown ? "this is " + path : "who?").getBytes(ISO_8859_1);
        exchange.sendResponseHeaders(request == 1 ? 503 : 200, body.length);
        try (exchange) {
            exchange.getResponseBody().write(body);
        }
    }

    @Test
    void run_script_keepsItsCookieAndObeysRetryAfter() throws Exception {
        AtomicInteger requests = new AtomicInteger();
        HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
        server.createContext("/", exchange -> answer(exchange, requests));
        server.start();
        try {
            Load.Script script =
                    (client, request) -> {
                        String path = "/" + client + "/" + request;
                        return new Load.Step(path, Load.Expected.text("this is " + path));
                    };
            Load.Group group = new Load.Group(script, 1).requests(4).rampUp(Duration.ofMillis(10));
            long start = System.nanoTime();
            Load load =
                    new Load(server.getAddress().getPort(), Duration.ZERO, LONG, List.of(group));
            LoadFigures figures = Objects.requireNonNull(LoadClient.run(load).get("all"));

            assertThat(figures.failures()).isEqualTo(Map.of("status 503", 1L));
            assertThat(figures.completed()).isEqualTo(3);
            assertThat(figures.refusal().max()).isPositive();
            assertThat(System.nanoTime() - start).isGreaterThan(1_000_000_000L);
        } finally {
            server.stop(0);
        }
    }

    @Test
    void run_nobodyListens_countsConnect() throws Exception {
        int port;
        try (TinyServer server = TinyServer.answering(WHOLE, Duration.ZERO, 1)) {
            port = server.port();
        }
        Load load = new Load(port, Duration.ZERO, LONG, List.of(group(2, 1, Duration.ZERO)));

        assertThat(Objects.requireNonNull(LoadClient.run(load).get("all")).failures())
                .isEqualTo(Map.of("connect", 2L));
    }

    @Test
    void run_serverPausesOnce_laterRequestsOfTheScheduleAreLateToo() throws Exception {
        TinyServer.Script script =
                (request, out) -> {
                    Thread.sleep(request == 5 ? 400 : 0);
                    out.write(WHOLE.getBytes(ISO_8859_1));
                    return true;
                };
        try (TinyServer server = new TinyServer(script)) {
            LoadFigures figures = run(server, LONG, group(1, 50, Duration.ofMillis(10)));

            // One answer of 50 was slow, but some 40 were due meanwhile.
            assertThat(figures.completed()).isEqualTo(50);
            assertThat(figures.latency().p50()).isBetween(100.0, figures.latency().max());
            assertThat(figures.latency().max()).isGreaterThan(390);
        }
    }

    @Test
    void run_windowEnds_waitingRequestsArePendingAndLate() throws Exception {
        try (TinyServer server = TinyServer.answering(WHOLE, Duration.ofSeconds(20), 1)) {
            LoadFigures figures = run(server, Duration.ofSeconds(3), group(8, 0, Duration.ZERO));

            assertThat(figures.completed()).isZero();
            assertThat(figures.pending()).isEqualTo(8);
            assertThat(figures.failed()).isZero();
            assertThat(figures.latenciesAreLowerBounds()).isTrue();
            assertThat(figures.latency().p50()).isBetween(200.0, 60_000.0);
        }
    }

    @Test
    void run_slowReader_takesTheTimeThatItsRateGives() throws Exception {
        String body = "x".repeat(2000);
        String response = "HTTP/1.1 200 OK\r\nContent-Length: 2000\r\n\r\n" + body;
        try (TinyServer server = TinyServer.answering(response, Duration.ZERO, 8)) {
            Load.Group slow =
                    new Load.Group("/", 2, Load.Expected.ANYTHING).requests(1).bytesPerSecond(2048);
            LoadFigures figures = run(server, LONG, slow);

            assertThat(figures.completed()).isEqualTo(2);
            assertThat(figures.latency().p50()).isBetween(800.0, 60_000.0);
        }
    }

    private static final String CHUNKED = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

    /** Runs one request for anything to a server that answers so, and then closes. */
    private static LoadFigures answered(String response) throws Exception {
        TinyServer.Script script =
                (_, out) -> {
                    out.write(response.getBytes(ISO_8859_1));
                    return false;
                };
        try (TinyServer server = new TinyServer(script)) {
            return run(server, LONG, new Load.Group("/", 1, Load.Expected.ANYTHING).requests(1));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab",
                CHUNKED + "5\r\n<tr>",
                CHUNKED + "4\r\n<tr>\r\n",
                CHUNKED + "4\r\n<tr>\r\n0\r\n",
                "HTTP/1.1 200"
            })
    void run_endTooEarly_isTruncated(String response) throws Exception {
        assertThat(answered(response).failures().keySet())
                .isSubsetOf("truncated", "closed without an answer")
                .hasSize(1);
    }

    @Test
    void run_bodyWithoutFraming_isComplete() throws Exception {
        assertThat(answered("HTTP/1.0 200 OK\r\n\r\n<tr><tr></html>").completed()).isEqualTo(1);
    }

    @Test
    void run_noHttp_isWrong() throws Exception {
        assertThat(answered("SSH-2.0\r\n\r\n").failures()).isEqualTo(Map.of("not HTTP", 1L));
    }

    @Test
    void run_malformedChunk_isWrong() throws Exception {
        assertThat(answered(CHUNKED + "xyz\r\n<tr>\r\n").failures())
                .isEqualTo(Map.of("malformed chunk", 1L));
    }
}
