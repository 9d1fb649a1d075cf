package dev.penstock.bench.waits;

import dev.penstock.bench.client.Load;
import dev.penstock.bench.client.LoadDriver;
import dev.penstock.bench.experiment.Trial;
import dev.penstock.bench.report.Figures;
import dev.penstock.bench.report.Outcome;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * Thousands of requests that wait at once over HTTP/1.1, for servers that survive them: each on a connection of its
 * own.
 */
record ManyWaits(LoadDriver driver, Trial trial) {
    private static final List<Integer> WAITS = List.of(10_000, 18_000);
    private static final int SHORT = 1000;
    private static final int LONG = 10_000;

    /** The loads that each server gets. */
    static final int STEPS = WAITS.size() * 2;

    /** Requests of each client that wait shortly. */
    private static final int ROUNDS = 3;

    /** Clients come within this time, so that all of them wait at once for the rest of the long wait. */
    private static final Duration ARRIVAL = Duration.ofSeconds(5);

    private static final Duration SHORTEST = Duration.ofMillis(20);
    private static final Duration TIMEOUT = Duration.ofSeconds(40);
    private static final Duration COLLECT = Duration.ofSeconds(1);
    private static final double MOST_HEAP = 2300;
    private static final double MOST_RESIDENT = 6000;
    private static final int MOST_THREADS = 40;

    /**
     * The figures of one load; NaN where nothing was measured.
     *
     * @param wrong answers that did not come, or came wrong
     * @param threads at the most
     * @param heap live bytes for each wait
     * @param resident bytes for each wait
     */
    private record Seen(
            long wrong, double p50, double p99, double threads, double heap, double resident) {}

    void measure(Outcome outcome, String heap) throws IOException {
        Outcome.Table table =
                outcome.table(
                        "Thousands at once, a connection each; a server that fails is asked no more",
                        "|at once|wait|wrong|median, ms|p99, ms|threads|heap a wait, bytes|resident a wait, bytes");
        for (WaitServer server : WaitServer.WAITING) {
            long wrong = 0;
            Seen last = new Seen(0, 0, 0, Double.NaN, Double.NaN, Double.NaN);
            try (WaitUnderTest started = WaitUnderTest.start(server, heap, trial)) {
                started.warmUp(driver, trial);
                long idle = started.child().idleHeapBytes();
                long resident = started.child().residentBytes();
                for (int waits : WAITS) {
                    for (int time : new int[] {SHORT, LONG}) {
                        trial.doing(waits + " waits of " + time + " ms, " + server);
                        if (wrong == 0) {
                            int clients = trial.scaled(waits);
                            last = load(started, clients, time, idle, resident);
                            wrong += last.wrong;
                            table.row(
                                    server,
                                    clients,
                                    Figures.number(time / 1000.0) + " s",
                                    last.wrong,
                                    last.p50,
                                    last.p99,
                                    last.threads,
                                    last.heap,
                                    last.resident);
                        }
                        trial.step();
                    }
                }
            }
            if (server == WaitServer.SUSPENDED) {
                judge(outcome, heap, wrong, last);
            }
        }
    }

    /**
     * One load.
     *
     * @param idle bytes of heap before the first one
     * @param resident the same of resident memory, which does not fall again
     */
    private Seen load(WaitUnderTest server, int clients, int time, long idle, long resident) {
        boolean isLong = time == LONG;
        int rounds = isLong ? 1 : ROUNDS;
        long wait = trial.scaled(Duration.ofMillis(time), SHORTEST).toMillis();
        Duration arrival = isLong ? trial.scaled(ARRIVAL, Duration.ZERO) : Duration.ZERO;
        Duration collect = isLong ? trial.scaled(COLLECT, Duration.ofMillis(1)) : Duration.ZERO;
        long all = (long) clients * rounds;
        Load.Group group = WaitUnderTest.waits(clients, rounds, wait).every(arrival);
        try {
            WaitUnderTest.Watched seen = server.watch(driver, group, TIMEOUT, collect);
            return new Seen(
                    all - seen.figures().completed(),
                    seen.figures().latency().p50(),
                    seen.figures().latency().p99(),
                    seen.threads(),
                    isLong ? (seen.liveBytes() - idle) / clients : Double.NaN,
                    (seen.residentBytes() - resident) / clients);
        } catch (IOException e) {
            // It tells no more of itself, or has gone.
            double none = Double.NaN;
            return new Seen(all, none, none, none, none, none);
        }
    }

    private static void judge(Outcome outcome, String heap, long wrong, Seen most) {
        outcome.finding(
                "10,000 and 18,000 waits over HTTP/1.1 in a heap of " + heap + " without a failure",
                wrong + " wrong",
                wrong == 0);
        outcome.finding(
                "18,000 waits: fewer than 40 threads",
                Figures.number(most.threads),
                most.threads < MOST_THREADS);
        outcome.atMost(
                "18,000 waits: at most 2.3 KB of heap each, with the connection",
                most.heap,
                MOST_HEAP,
                Figures::bytes);
        outcome.atMost(
                "18,000 waits: at most 6 KB of resident memory each, with the connection",
                most.resident,
                MOST_RESIDENT,
                Figures::bytes);
    }
}
