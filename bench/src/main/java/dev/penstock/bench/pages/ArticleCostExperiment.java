package dev.penstock.bench.pages;

import dev.penstock.bench.child.Answer;
import dev.penstock.bench.client.Load;
import dev.penstock.bench.client.LoadDriver;
import dev.penstock.bench.client.LoadFigures;
import dev.penstock.bench.experiment.Experiment;
import dev.penstock.bench.experiment.Interleaved;
import dev.penstock.bench.experiment.Progress;
import dev.penstock.bench.experiment.Settings;
import dev.penstock.bench.report.Outcome;
import dev.penstock.bench.report.Samples;
import dev.penstock.bench.report.Words;
import dev.penstock.databases.TestDatabase;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Why streaming was 10 to 15 % slower than a list in article 1, which its author could not explain: each of the choices that
 * its streaming servlet made, and its list did not have to, is taken by itself and together with the others.
 */
public final class ArticleCostExperiment implements Experiment {
    private static final int ROWS = 172;
    private static final int CLIENTS = 4;
    private static final Duration WINDOW = Duration.ofMillis(2500);

    /** MySQL's driver fetches by a server-side cursor only if it is told so in the URL, as the article told it. */
    private static final List<TestDatabase.Kind> DATABASES =
            List.of(
                    TestDatabase.Kind.POSTGRESQL,
                    TestDatabase.Kind.MARIADB,
                    TestDatabase.Kind.MYSQL);

    private static final List<PageVariant> VARIANTS =
            List.of(
                    new PageVariant("local (a list)", "/local?"),
                    new PageVariant("local, new connection", "/local?connect&"),
                    new PageVariant("streaming", "/presidents?"),
                    new PageVariant("row by row, all fetched at once", "/article?fetch=0&"),
                    new PageVariant("row by row, fetch size 1000", "/article?fetch=1000&"),
                    new PageVariant("row by row, fetch size 10", "/article?fetch=10&"),
                    new PageVariant(
                            "the same, and each row sent at once", "/article?fetch=10&flush&"),
                    new PageVariant("the same, and a new connection", "/article?fetch=10&connect&"),
                    new PageVariant("all three", "/article?fetch=10&flush&connect&"));

    @Override
    public String name() {
        return "article-cost";
    }

    @Override
    public String summary() {
        return "why article 1's streaming was slower than its list; about 7 minutes";
    }

    @Override
    public Outcome run(Settings settings, Progress progress) throws Exception {
        List<TestDatabase.Kind> kinds = settings.databasesOr(DATABASES);
        String heap = settings.heapsOr("1g").getFirst();
        progress.steps((long) kinds.size() * VARIANTS.size() * (settings.repetitions() + 1));
        Outcome outcome =
                new Outcome(
                        name(),
                        "What made the article's streaming slower than its list, heap " + heap);
        outcome.text(
                "The page of "
                        + ROWS
                        + " rows for "
                        + CLIENTS
                        + " clients. Local reads a list by the driver's defaults, which is one bulk fetch. The article streamed by"
                        + " a server-side cursor, ten rows a round trip, on a connection that it opened for each request, with"
                        + " small writes. Each of those by itself and together, against local in the same repetition.");
        try (LoadDriver driver = LoadDriver.start(settings.log("load-client"))) {
            for (TestDatabase.Kind kind : kinds) {
                try (TestDatabase database = PresidentsExperiment.database(kind)) {
                    new Run(kind, heap, driver, settings).measure(database, outcome, progress);
                }
            }
        }
        return outcome;
    }

    /** The variants on one database, all from one server, whose heap is large enough for any. */
    private record Run(TestDatabase.Kind kind, String heap, LoadDriver driver, Settings settings) {
        private void measure(TestDatabase database, Outcome outcome, Progress progress)
                throws IOException, InterruptedException {
            List<PageCell> cells = new ArrayList<>();
            for (PageVariant variant : VARIANTS) {
                cells.add(new PageCell(variant, ROWS, CLIENTS));
            }
            String log = "article-cost-" + kind;
            try (ServerUnderTest server =
                    new ServerUnderTest(
                            log,
                            database,
                            heap,
                            PresidentsExperiment.RUNNING,
                            true,
                            settings.log(log))) {
                Load.Expected expected =
                        PageVariant.expected(
                                LoadDriver.get(server.port(), PageVariant.STREAMING.path(ROWS)),
                                ROWS);
                for (int i = -1; i < settings.repetitions(); i++) {
                    for (PageCell cell : Interleaved.order(cells, Math.max(0, i))) {
                        progress.doing(Words.database(kind) + ", " + cell.variant().name());
                        cell.add(driver.runOne(load(server, cell, expected)), i >= 0);
                        server.settle();
                        progress.step();
                    }
                }
            }
            report(outcome, cells);
        }

        private Load load(ServerUnderTest server, PageCell cell, Load.Expected expected)
                throws IOException {
            Duration window =
                    Duration.ofMillis(Math.max(200, (long) (WINDOW.toMillis() * settings.scale())));
            Load.Group group =
                    new Load.Group(
                            "all",
                            cell.variant().path(ROWS),
                            CLIENTS,
                            0,
                            Duration.ZERO,
                            0,
                            expected);
            return new Load(server.port(), window.dividedBy(5), window, List.of(group));
        }

        private void report(Outcome outcome, List<PageCell> cells) {
            Samples local = cells.getFirst().samples(LoadFigures::requestsPerMinute);
            List<List<String>> table = new ArrayList<>();
            for (PageCell cell : cells) {
                Samples samples = cell.samples(LoadFigures::requestsPerMinute);
                table.add(
                        List.of(
                                cell.variant().name(),
                                Words.number(samples.median()),
                                Words.percent(samples.medianRatio(local) - 1),
                                Words.number(cell.median(LoadFigures::firstRowMilliseconds)),
                                cell.failed() ? cell.failures().toString() : "none"));
                outcome.measured(
                        "requests",
                        new Answer(
                                Map.of("database", kind.name(), "variant", cell.variant().name())),
                        "1/min",
                        samples);
            }
            outcome.add(
                    new Outcome.Table(
                            Words.database(kind),
                            List.of("", "requests/min", "to local", "row 1 (ms)", "failures"),
                            table));
        }
    }
}
