package dev.penstock.bench.export;

import dev.penstock.bench.client.Load;
import dev.penstock.bench.client.LoadFigures;
import dev.penstock.bench.experiment.Experiment;
import dev.penstock.bench.experiment.Trial;
import dev.penstock.bench.report.Figures;
import dev.penstock.bench.report.Outcome;
import dev.penstock.bench.report.Samples;
import dev.penstock.bench.server.ServerUnderTest;
import dev.penstock.databases.TestDatabase;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The harm that many clients do that read an endless export at 2 KiB/s: to the heap, and to the short requests of
 * others.
 */
public final class SlowClientsExperiment extends Experiment {
    private static final long ROWS = 1_000_000;
    private static final int CLIENTS = 128;
    private static final int BYTES_PER_SECOND = 2048;
    private static final int PROBES = 4;
    private static final Duration INTERVAL = Duration.ofMillis(20);
    private static final Duration WINDOW = Duration.ofSeconds(10);
    private static final Duration COLLECT = Duration.ofMillis(500);
    private static final double FLAT_BYTES = 8e6;
    private static final Load.Group PROBE =
            new Load.Group(
                            "/api/lineitem?format=json&l_orderkey=eq.1&l_linenumber=eq.1&limit=1",
                            PROBES,
                            new Load.Expected(10, 2000, "", "l_orderkey", 1))
                    .named("probes")
                    .every(INTERVAL);

    /** The experiment. */
    public SlowClientsExperiment() {
        super(
                "slow-clients",
                "128 clients that read 2 KiB/s at 64 MB: heap, and short requests; about 8 minutes");
    }

    @Override
    public Outcome run(Trial trial) throws Exception {
        List<TestDatabase.Kind> kinds = trial.databases();
        String heap = trial.heap("64m");
        int clients = trial.scaled(CLIENTS);
        trial.steps(kinds.size() * 2L * (trial.repetitions() + 1));
        Outcome outcome = new Outcome(name(), clients + " clients that read 2 KiB/s, heap " + heap);
        outcome.text(
                """
                All of them are admitted, and stream a table of a million rows as CSV. Meanwhile %d clients ask for one
                row by its key, each every %d ms; their latency counts from when they meant to ask, and only ten seconds
                after the slow clients have come, when what lies between them and the database is full. Without and with
                the slow clients take turns.
                """
                        .formatted(PROBES, INTERVAL.toMillis()));
        Outcome.Table table =
                outcome.table(
                        "Short requests (ms) and live heap",
                        "|p50|p99|live heap, least|live heap, most|failures");
        Outcome.Chart chart =
                outcome.chart(
                        "Live heap after full collections, with slow clients", "seconds", "MB");
        long rows = trial.scaled(ROWS, 50_000);
        new ServerUnderTest.Plan(name(), heap, clients)
                .forEach(
                        kinds,
                        kind -> LineitemDatabase.of(kind, rows),
                        trial,
                        server -> new Run(server, trial, clients).measure(outcome, table, chart));
        return outcome;
    }

    /** The figures of short requests, without or with slow clients. */
    private record Probes(String name, boolean slow, Samples p50, Samples p99) {
        private Probes(String name, boolean slow) {
            this(name, slow, new Samples(), new Samples());
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /** One server, without and with slow clients in turns. */
    private static final class Run {
        private final ServerUnderTest server;
        private final Trial trial;
        private final int clients;
        private final Probes without = new Probes("without", false);
        private final Probes with = new Probes("with slow clients", true);
        private long failures;

        private Run(ServerUnderTest server, Trial trial, int clients) {
            this.server = server;
            this.trial = trial;
            this.clients = clients;
        }

        private void measure(Outcome outcome, Outcome.Table table, Outcome.Chart chart)
                throws Exception {
            trial.interleave(
                    1,
                    "",
                    List.of(without, with),
                    (probes, counts) -> {
                        LoadFigures.Latency latency = load(probes.slow).latency();
                        if (counts) {
                            probes.p50.add(latency.p50());
                            probes.p99.add(latency.p99());
                        }
                        server.settle();
                    });
            // Its memory by itself, since forced collections would be in the way of short requests.
            server.watch(COLLECT);
            load(true);
            // The first collections see the clients come; flat is what follows.
            report(outcome, table, server.heap().draw(chart, server.label(), 0.25));
        }

        private LoadFigures load(boolean slow) throws IOException {
            List<Load.Group> groups = new ArrayList<>(List.of(PROBE));
            if (slow) {
                groups.add(
                        new Load.Group("/api/lineitem?format=csv", clients, Load.Expected.ANYTHING)
                                .named("slow")
                                .bytesPerSecond(BYTES_PER_SECOND));
            }
            Duration window = trial.scaled(WINDOW, Duration.ofMillis(500));
            List<LoadFigures> figures = server.load(window, window, groups);
            for (LoadFigures each : figures) {
                failures += each.failed();
            }
            LoadFigures last = figures.getLast();
            if (slow && last.pending() + last.completed() < clients) {
                failures++;
            }
            return figures.getFirst();
        }

        private void report(Outcome outcome, Outcome.Table table, Samples settled) {
            String name = server.label();
            String least = Figures.megabytes(settled.min());
            String most = Figures.megabytes(settled.max());
            outcome.finding(
                    name + ": heap flat, nobody fails",
                    "%s to %s live, %d failures".formatted(least, most, failures),
                    settled.max() - settled.min() <= FLAT_BYTES && failures == 0);
            boolean quickMedian = with.p50.median() <= 1.25 * without.p50.median() + 0.5;
            boolean quickTail = with.p99.median() <= 1.25 * without.p99.median() + 5;
            outcome.finding(
                    name + ": short requests as quick as without slow clients",
                    "p50 %s with, %s without; p99 %s with, %s without"
                            .formatted(
                                    Figures.milliseconds(with.p50.median()),
                                    Figures.milliseconds(without.p50.median()),
                                    Figures.milliseconds(with.p99.median()),
                                    Figures.milliseconds(without.p99.median())),
                    quickMedian && quickTail);
            table.row(name + ", without", without.p50, without.p99, "", "", "");
            table.row(name + ", with slow clients", with.p50, with.p99, least, most, failures);
        }
    }
}
