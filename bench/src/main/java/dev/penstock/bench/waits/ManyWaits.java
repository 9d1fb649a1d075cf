package dev.penstock.bench.waits;

import dev.penstock.bench.child.Answer;
import dev.penstock.bench.client.LoadDriver;
import dev.penstock.bench.client.LoadFigures;
import dev.penstock.bench.experiment.Progress;
import dev.penstock.bench.experiment.Settings;
import dev.penstock.bench.report.Outcome;
import dev.penstock.bench.report.Samples;
import dev.penstock.bench.report.Words;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Thousands of requests that wait at once over HTTP/1.1, for whoever survives them: each on a connection of its own. */
final class ManyWaits {
    private static final List<Integer> WAITS = List.of(10_000, 18_000);
    private static final int SHORT = 1000;
    private static final int LONG = 10_000;

    /** Requests of each client that wait shortly. */
    private static final int ROUNDS = 3;

    /** Clients come within this time, so that all of them wait at once for the rest of the long wait. */
    private static final int ARRIVAL = 5000;

    /** Milliseconds that are waited in a trial. */
    private static final int SHORTEST = 20;

    private static final Duration PATIENCE = Duration.ofSeconds(40);
    private static final int COLLECT_MILLISECONDS = 1000;
    private static final double MOST_HEAP = 2300;
    private static final double MOST_RESIDENT = 6000;
    private static final int MOST_THREADS = 40;

    private final LoadDriver driver;
    private final Settings settings;
    private final Progress progress;

    ManyWaits(LoadDriver driver, Settings settings, Progress progress) {
        this.driver = driver;
        this.settings = settings;
        this.progress = progress;
    }

    static long steps() {
        return (long) WaitServer.waiting().size() * WAITS.size() * 2;
    }

    /**
     * What one run gave.
     *
     * @param figures null where the server was gone before
     * @param wrong answers that did not come, or came wrong
     * @param heap bytes a wait, live; NaN where that was not watched
     */
    private record Run(
            WaitServer server,
            int waits,
            int time,
            @Nullable LoadFigures figures,
            long wrong,
            double threads,
            double heap,
            double resident) {}

    void measure(Outcome outcome, String heap) throws IOException {
        List<Run> runs = new ArrayList<>();
        for (WaitServer server : WaitServer.waiting()) {
            runs.addAll(runs(server, heap));
        }
        judge(outcome, heap, runs);
        outcome.add(
                new Outcome.Table(
                        "Thousands at once, a connection each; whoever fails is asked no more",
                        List.of(
                                "",
                                "at once",
                                "wait",
                                "wrong",
                                "median, ms",
                                "p99, ms",
                                "threads",
                                "heap a wait, bytes",
                                "resident a wait, bytes"),
                        runs.stream().map(this::row).toList()));
    }

    /** What one server does, until it fails. */
    private List<Run> runs(WaitServer server, String heap) throws IOException {
        List<Run> runs = new ArrayList<>();
        boolean failed = false;
        try (WaitUnderTest started = WaitUnderTest.start(server, heap, settings)) {
            started.warmUp(driver, settings);
            long idle = started.idleBytes();
            long resident = started.residentBytes();
            for (int waits : WAITS) {
                for (int time : new int[] {SHORT, LONG}) {
                    progress.doing(waits + " waits of " + time + " ms, " + server.label());
                    if (!failed) {
                        Run run = run(started, waits, time, idle, resident);
                        runs.add(run);
                        failed = run.wrong != 0;
                    }
                    progress.step();
                }
            }
        }
        return runs;
    }

    /**
     * One load.
     *
     * @param idle bytes of heap before the first one
     * @param resident the same of resident memory, which does not fall again
     */
    private Run run(WaitUnderTest server, int waits, int time, long idle, long resident) {
        int clients = settings.scaled(waits);
        int rounds = time == SHORT ? ROUNDS : 1;
        int wait = Math.max(SHORTEST, settings.scaled(time));
        Duration arrival =
                time == LONG ? Duration.ofMillis(settings.scaled(ARRIVAL)) : Duration.ZERO;
        LoadFigures figures = null;
        try {
            server.threads();
            server.watch(time == LONG ? settings.scaled(COLLECT_MILLISECONDS) : 0);
            long mostResident;
            try (ResidentWatch watch = new ResidentWatch(server)) {
                figures = driver.runOne(server.waits(clients, rounds, wait, arrival, PATIENCE));
                mostResident = watch.most();
            }
            double live = (double) server.mostLiveBytes();
            return new Run(
                    server.server(),
                    waits,
                    time,
                    figures,
                    (long) clients * rounds - figures.completed(),
                    server.threads().number("peak"),
                    time == LONG ? (live - idle) / clients : Double.NaN,
                    ((double) mostResident - resident) / clients);
        } catch (IOException e) {
            // It tells no more of itself, or has gone.
            long wrong = (long) clients * rounds - (figures == null ? 0 : figures.completed());
            return new Run(
                    server.server(),
                    waits,
                    time,
                    figures,
                    Math.max(1, wrong),
                    Double.NaN,
                    Double.NaN,
                    Double.NaN);
        }
    }

    private List<String> row(Run run) {
        LoadFigures figures = run.figures;
        return List.of(
                run.server.label(),
                String.format(Locale.ROOT, "%,d", settings.scaled(run.waits)),
                Words.number(run.time / 1000.0) + " s",
                Words.number((double) run.wrong),
                figures == null ? "" : Words.number(figures.p50Milliseconds()),
                figures == null ? "" : Words.number(figures.p99Milliseconds()),
                Words.number(run.threads),
                Words.number(run.heap),
                Words.number(run.resident));
    }

    private static void judge(Outcome outcome, String heap, List<Run> runs) {
        List<Run> ours = runs.stream().filter(run -> run.server == WaitServer.SUSPENDED).toList();
        long wrong = ours.stream().mapToLong(Run::wrong).sum();
        outcome.finding(
                "10,000 and 18,000 waits over HTTP/1.1 in a heap of " + heap + " without a failure",
                wrong + " wrong",
                wrong == 0);
        Run most = ours.getLast();
        outcome.finding(
                "18,000 waits: fewer than 40 threads",
                Words.number(most.threads),
                most.threads < MOST_THREADS);
        outcome.finding(
                "18,000 waits: at most 2.3 KB of heap each, with the connection",
                Words.number(most.heap) + " bytes",
                most.heap <= MOST_HEAP);
        outcome.finding(
                "18,000 waits: at most 6 KB of resident memory each, with the connection",
                Words.number(most.resident) + " bytes",
                most.resident <= MOST_RESIDENT);
        Answer where = new Answer(Map.of("server", WaitServer.SUSPENDED.name()));
        outcome.measured("heap-a-wait", where, "bytes", Samples.of(most.heap));
        outcome.measured("resident-a-wait", where, "bytes", Samples.of(most.resident));
    }
}
