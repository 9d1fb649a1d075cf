package dev.penstock.bench.waits;

import dev.penstock.bench.child.ResidentWatch;
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
            ask(driver, server, Math.max(1, connections / 20), 10);
            long idle = server.child().idleHeapBytes();
            server.child().threads();
            server.child().watchHeap(trial.scaled(COLLECT, Duration.ofMillis(1)));
            LoadFigures figures;
            double resident;
            try (ResidentWatch watch = new ResidentWatch(server.child())) {
                figures = ask(driver, server, connections, wait);
                resident = watch.mostBytes();
            }
            int all = connections * STREAMS;
            double heap = (double) (server.child().heap().mostBytes() - idle) / all;
            int threads = server.child().threads().peak();
            report(outcome, figures, all, heap, resident);
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
                                    Figures.number(figures.latency().p50()),
                                    Figures.number(figures.latency().p99()),
                                    threads));
        }
        trial.step();
    }

    private static LoadFigures ask(
            LoadDriver driver, WaitUnderTest server, int connections, long wait)
            throws IOException {
        Load.Group group = WaitUnderTest.waits(connections * STREAMS, 1, wait).streams(STREAMS);
        return driver.runOne(new Load(server.port(), TIMEOUT, group));
    }

    private static void report(
            Outcome outcome, LoadFigures figures, int all, double heap, double resident) {
        outcome.finding(
                ALL + "every answer right",
                figures.completed() + " of " + all,
                figures.completed() == all);
        outcome.atMost(ALL + "at most 1.8 KB of heap a stream", heap, MOST_HEAP, Figures::bytes);
        outcome.atMost(ALL + "within 420 MB resident", resident, MOST_RESIDENT, Figures::megabytes);
    }
}
