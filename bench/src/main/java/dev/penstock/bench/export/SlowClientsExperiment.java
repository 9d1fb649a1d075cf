package dev.penstock.bench.export;

import dev.penstock.bench.child.Answer;
import dev.penstock.bench.child.HeapWatch;
import dev.penstock.bench.client.Load;
import dev.penstock.bench.client.LoadDriver;
import dev.penstock.bench.client.LoadFigures;
import dev.penstock.bench.experiment.Experiment;
import dev.penstock.bench.experiment.Interleaved;
import dev.penstock.bench.experiment.Progress;
import dev.penstock.bench.experiment.Settings;
import dev.penstock.bench.pages.ServerUnderTest;
import dev.penstock.bench.report.Outcome;
import dev.penstock.bench.report.Samples;
import dev.penstock.bench.report.Words;
import dev.penstock.databases.TestDatabase;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Many clients that read an endless export at 2 KiB/s: what they do to the heap, and to the short requests of others. */
public final class SlowClientsExperiment implements Experiment {
    private static final long ROWS = 1_000_000;
    private static final int CLIENTS = 128;
    private static final int BYTES_PER_SECOND = 2048;
    private static final int PROBES = 4;
    private static final Duration INTERVAL = Duration.ofMillis(20);
    private static final Duration WINDOW = Duration.ofSeconds(10);
    private static final Duration COLLECT = Duration.ofMillis(500);
    private static final double FLAT_BYTES = 8e6;
    private static final List<TestDatabase.Kind> DATABASES =
            List.of(TestDatabase.Kind.POSTGRESQL, TestDatabase.Kind.MARIADB);

    @Override
    public String name() {
        return "slow-clients";
    }

    @Override
    public String summary() {
        return "128 clients that read 2 KiB/s at 64 MB: heap, and short requests; about 8 minutes";
    }

    @Override
    public Outcome run(Settings settings, Progress progress) throws Exception {
        List<TestDatabase.Kind> kinds = settings.databasesOr(DATABASES);
        String heap = settings.heapsOr("64m").getFirst();
        int clients = settings.scaled(CLIENTS);
        progress.steps(kinds.size() * (2L * settings.repetitions() + 1));
        Outcome outcome = new Outcome(name(), clients + " clients that read 2 KiB/s, heap " + heap);
        outcome.text(
                "All of them are admitted, and stream a table of a million rows as CSV. Meanwhile "
                        + PROBES
                        + " clients ask for one row by its key, each every "
                        + INTERVAL.toMillis()
                        + " ms; their latency counts from when they meant to ask, and only ten seconds after the slow clients have come, when what lies between them and the database is full. Without and with the slow clients take turns.");
        List<List<String>> table = new ArrayList<>();
        List<Outcome.Series> series = new ArrayList<>();
        try (LoadDriver driver = LoadDriver.start(settings.log("load-client"))) {
            for (TestDatabase.Kind kind : kinds) {
                progress.doing("loading " + Words.database(kind));
                long rows = Math.max(50_000, (long) (ROWS * settings.scale()));
                try (LineitemDatabase lineitems = LineitemDatabase.of(kind, rows);
                        ServerUnderTest server =
                                new ServerUnderTest(
                                        "slow-" + kind,
                                        lineitems.database(),
                                        heap,
                                        clients,
                                        false,
                                        settings.log("slow-" + kind))) {
                    Run run = new Run(server, driver, settings, clients);
                    run.measure(progress);
                    run.report(outcome, table, series, kind);
                }
            }
        }
        outcome.add(
                new Outcome.Table(
                        "Short requests (ms) and live heap",
                        List.of(
                                "",
                                "p50",
                                "p99",
                                "live heap, least",
                                "live heap, most",
                                "failures"),
                        table));
        outcome.add(
                new Outcome.Chart(
                        "Live heap after full collections, with slow clients",
                        "seconds",
                        "MB",
                        false,
                        series));
        return outcome;
    }

    /** One server, without and with slow clients in turns. */
    private static final class Run {
        private final ServerUnderTest server;
        private final LoadDriver driver;
        private final Settings settings;
        private final int clients;
        private final Samples[] p50 = {new Samples(), new Samples()};
        private final Samples[] p99 = {new Samples(), new Samples()};
        private final List<HeapWatch.Point> live = new ArrayList<>();
        private long failures;

        private Run(ServerUnderTest server, LoadDriver driver, Settings settings, int clients) {
            this.server = server;
            this.driver = driver;
            this.settings = settings;
            this.clients = clients;
        }

        private void measure(Progress progress) throws IOException {
            progress.doing("warming up");
            run(true);
            server.settle();
            progress.step();
            for (int i = 0; i < settings.repetitions(); i++) {
                for (boolean slow : Interleaved.order(List.of(false, true), i)) {
                    progress.doing(slow ? "with slow clients" : "without");
                    add(run(slow), slow ? 1 : 0);
                    server.settle();
                    progress.step();
                }
            }
            // Its memory by itself, since forced collections would be in the way of short requests.
            server.watch(COLLECT);
            run(true);
            live.addAll(server.heap().points().stream().filter(HeapWatch.Point::full).toList());
        }

        private void add(LoadFigures probes, int into) {
            p50[into].add(probes.p50Milliseconds());
            p99[into].add(probes.p99Milliseconds());
        }

        private LoadFigures run(boolean slow) throws IOException {
            List<Load.Group> groups = new ArrayList<>();
            groups.add(
                    new Load.Group(
                            "probes",
                            "/api/lineitem?format=json&l_orderkey=eq.1&l_linenumber=eq.1&limit=1",
                            PROBES,
                            0,
                            INTERVAL,
                            0,
                            new Load.Expected(10, 2000, "", "l_orderkey", 1)));
            if (slow) {
                groups.add(
                        new Load.Group(
                                "slow",
                                "/api/lineitem?format=csv",
                                clients,
                                0,
                                Duration.ZERO,
                                BYTES_PER_SECOND,
                                Load.Expected.ANYTHING));
            }
            Duration window =
                    Duration.ofMillis(Math.max(500, (long) (WINDOW.toMillis() * settings.scale())));
            Map<String, LoadFigures> figures =
                    driver.run(new Load(server.port(), window, window, groups));
            LoadFigures probes = null;
            for (Map.Entry<String, LoadFigures> each : figures.entrySet()) {
                failures += each.getValue().failed();
                if (each.getKey().equals("probes")) {
                    probes = each.getValue();
                } else if (each.getValue().pending() + each.getValue().completed() < clients) {
                    failures++;
                }
            }
            return java.util.Objects.requireNonNull(probes);
        }

        private void report(
                Outcome outcome,
                List<List<String>> table,
                List<Outcome.Series> series,
                TestDatabase.Kind kind) {
            double most = live.stream().mapToLong(HeapWatch.Point::usedBytes).max().orElse(0);
            // The first collections see the clients come; flat is what follows.
            List<HeapWatch.Point> settled = live.subList(live.size() / 4, live.size());
            double least = settled.stream().mapToLong(HeapWatch.Point::usedBytes).min().orElse(0);
            String name = Words.database(kind);
            outcome.finding(
                    name + ": heap flat, nobody fails",
                    Words.megabytes(least)
                            + " to "
                            + Words.megabytes(most)
                            + " live, "
                            + failures
                            + " failures",
                    !settled.isEmpty() && most - least <= FLAT_BYTES && failures == 0);
            double without = p99[0].median();
            double with = p99[1].median();
            outcome.finding(
                    name + ": short requests as quick as without slow clients",
                    "p50 %s with, %s without; p99 %s with, %s without"
                            .formatted(
                                    Words.milliseconds(p50[1].median()),
                                    Words.milliseconds(p50[0].median()),
                                    Words.milliseconds(with),
                                    Words.milliseconds(without)),
                    p50[1].median() <= 1.25 * p50[0].median() + 0.5 && with <= 1.25 * without + 5);
            for (int i = 0; i < 2; i++) {
                String which = name + (i == 0 ? ", without" : ", with slow clients");
                table.add(
                        List.of(
                                which,
                                Words.number(p50[i].median()),
                                Words.number(p99[i].median()),
                                i == 0 ? "" : Words.megabytes(least),
                                i == 0 ? "" : Words.megabytes(most),
                                i == 0 ? "" : Long.toString(failures)));
                Answer where = new Answer(Map.of("database", kind.name(), "slow", "" + (i == 1)));
                outcome.measured("short requests, p50", where, "ms", p50[i]);
                outcome.measured("short requests, p99", where, "ms", p99[i]);
            }
            series.add(
                    new Outcome.Series(
                            name,
                            live.stream().map(point -> point.milliseconds() / 1000.0).toList(),
                            live.stream().map(point -> point.usedBytes() / 1e6).toList()));
        }
    }
}
