package dev.penstock.bench.client;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.bench.child.Answer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class LoadClientIT {
    private static final String WHOLE =
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n<tr>\r\n0\r\n\r\n";
    private static final Duration LONG = Duration.ofSeconds(30);

    private static Load.Group group(int clients, int requests, Duration interval) {
        return new Load.Group(
                "all", "/", clients, requests, interval, 0, new Load.Expected(4, 4, ">", "<tr", 1));
    }

    private static LoadFigures run(TinyServer server, Duration window, Load.Group group)
            throws IOException {
        return Objects.requireNonNull(
                LoadClient.run(new Load(server.port(), Duration.ZERO, window, List.of(group)))
                        .get("all"));
    }

    @Test
    void run_thousandClients_eachGetsItsAnswers() throws IOException {
        try (TinyServer server = TinyServer.answering(WHOLE, Duration.ZERO, 1024)) {
            LoadFigures figures = run(server, LONG, group(1024, 3, Duration.ZERO));

            assertThat(figures.completed()).isEqualTo(3 * 1024);
            assertThat(figures.failures()).isEmpty();
            assertThat(figures.pending()).isZero();
            assertThat(figures.meanBytes()).isEqualTo(4);
            assertThat(figures.firstByteMilliseconds()).isPositive();
            assertThat(figures.firstRowMilliseconds()).isPositive();
            assertThat(server.requests()).isEqualTo(3 * 1024);
        }
    }

    @Test
    void run_truncatedAndRefused_countAsFailuresByKind() throws IOException {
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

    @Test
    void run_nobodyListens_countsConnect() throws IOException {
        int port;
        try (TinyServer server = TinyServer.answering(WHOLE, Duration.ZERO, 1)) {
            port = server.port();
        }
        Load load = new Load(port, Duration.ZERO, LONG, List.of(group(2, 1, Duration.ZERO)));

        assertThat(Objects.requireNonNull(LoadClient.run(load).get("all")).failures())
                .isEqualTo(Map.of("connect", 2L));
    }

    @Test
    void run_serverPausesOnce_laterRequestsOfTheScheduleAreLateToo() throws IOException {
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
            assertThat(figures.p50Milliseconds()).isBetween(100.0, 400.0);
            assertThat(figures.maxMilliseconds()).isGreaterThan(390);
        }
    }

    @Test
    void run_windowEnds_waitingRequestsArePendingAndLate() throws IOException {
        try (TinyServer server = TinyServer.answering(WHOLE, Duration.ofSeconds(20), 1)) {
            LoadFigures figures = run(server, Duration.ofMillis(300), group(8, 0, Duration.ZERO));

            assertThat(figures.completed()).isZero();
            assertThat(figures.pending()).isEqualTo(8);
            assertThat(figures.failed()).isZero();
            assertThat(figures.latenciesAreLowerBounds()).isTrue();
            assertThat(figures.p50Milliseconds()).isBetween(200.0, 1000.0);
        }
    }

    @Test
    void run_slowReader_takesTheTimeThatItsRateGives() throws IOException {
        String body = "x".repeat(2000);
        String response = "HTTP/1.1 200 OK\r\nContent-Length: 2000\r\n\r\n" + body;
        try (TinyServer server = TinyServer.answering(response, Duration.ZERO, 8)) {
            Load.Group slow =
                    new Load.Group("all", "/", 2, 1, Duration.ZERO, 2048, Load.Expected.ANYTHING);
            LoadFigures figures = run(server, LONG, slow);

            assertThat(figures.completed()).isEqualTo(2);
            assertThat(figures.p50Milliseconds()).isBetween(800.0, 3000.0);
        }
    }

    @Test
    void decode_encodedLoadAndFigures_areTheSame() throws IOException {
        Load load =
                new Load(
                        1,
                        Duration.ofMillis(1),
                        LONG,
                        List.of(
                                group(1, 2, LONG),
                                new Load.Group(
                                        "b",
                                        "/x?a=b&c=%20 d",
                                        3,
                                        0,
                                        Duration.ZERO,
                                        9,
                                        Load.Expected.ANYTHING)));
        LoadFigures figures =
                new LoadFigures(
                        1,
                        Map.of("status 503", 3L),
                        2,
                        3,
                        4,
                        5,
                        6,
                        7,
                        8,
                        9,
                        10,
                        11,
                        12,
                        13,
                        List.of(1.5, 2.0));

        assertThat(Load.decode(Answer.parse(load.encode().line()))).isEqualTo(load);
        assertThat(LoadFigures.decode(Answer.parse(figures.encode().line()))).isEqualTo(figures);
    }
}
