package dev.penstock.bench.waits;

import dev.penstock.bench.client.Load;
import dev.penstock.bench.client.LoadDriver;
import dev.penstock.bench.client.LoadFigures;
import dev.penstock.bench.experiment.Trial;
import dev.penstock.bench.report.Figures;
import dev.penstock.bench.report.Outcome;
import java.io.IOException;
import java.time.Duration;

/** A hundred thousand requests that wait at once over HTTP/2, a hundred on each of a thousand connections. */
final class Http2Waits {
    private static final int CONNECTIONS = 1000;
    private static final int STREAMS = 100;
    private static final Duration WAIT = Duration.ofSeconds(15);
    private static final Duration SHORTEST = Duration.ofMillis(100);
    private static final Duration TIMEOUT = Duration.ofSeconds(90);
    private static final Duration COLLECT = Duration.ofSeconds(2);
    private static final String HEAP = "256m";
    private static final String CLIENT_HEAP = "1g";
    private static final double MOST_HEAP = 1800;
    private static final double MOST_RESIDENT = 420e6;
    private static final String ALL = "100,000 waits at once over HTTP/2: ";

    private Http2Waits() {}

    static void measure(Outcome outcome, Trial trial) throws IOException {
        trial.doing("100,000 waits over HTTP/2");
        int connections = trial.scaled(CONNECTIONS);
        long wait = trial.scaled(WAIT, SHORTEST).toMillis();
        try (WaitUnderTest server = WaitUnderTest.start(WaitServer.SUSPENDED, HEAP, trial);
                LoadDriver driver = LoadDriver.start(CLIENT_HEAP, trial.log("http2-client"))) {
            Load.Group few = waits(Math.max(1, connections / 20), 10);
            driver.runOne(new Load(server.port(), TIMEOUT, few));
            long idle = server.child().idleHeapBytes();
            Duration collect = trial.scaled(COLLECT, Duration.ofMillis(1));
            WaitUnderTest.Watched seen =
                    server.watch(driver, waits(connections, wait), TIMEOUT, collect);
            int all = connections * STREAMS;
            double heap = (seen.liveBytes() - idle) / all;
            LoadFigures.Latency latency = seen.figures().latency();
            report(outcome, seen, all, heap);
            outcome.text(
                    """
                    Over HTTP/2: %d connections of %d streams, each of which waits for %d ms, in a heap of %s; answers
                    after %s ms (median) and %s ms (p99); %d threads.
                    """
                            .formatted(
                                    connections,
                                    STREAMS,
                                    wait,
                                    HEAP,
                                    Figures.number(latency.p50()),
                                    Figures.number(latency.p99()),
                                    seen.threads()));
        }
        trial.step();
    }

    private static Load.Group waits(int connections, long wait) {
        return WaitUnderTest.waits(connections * STREAMS, 1, wait).streams(STREAMS);
    }

    private static void report(Outcome outcome, WaitUnderTest.Watched seen, int all, double heap) {
        long completed = seen.figures().completed();
        outcome.finding(ALL + "every answer right", completed + " of " + all, completed == all);
        outcome.atMost(ALL + "at most 1.8 KB of heap a stream", heap, MOST_HEAP, Figures::bytes);
        outcome.atMost(
                ALL + "within 420 MB resident",
                seen.residentBytes(),
                MOST_RESIDENT,
                Figures::megabytes);
    }
}
