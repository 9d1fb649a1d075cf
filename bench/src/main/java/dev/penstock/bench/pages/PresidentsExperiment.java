package dev.penstock.bench.pages;

import dev.penstock.bench.child.Child;
import dev.penstock.bench.client.Load;
import dev.penstock.bench.client.LoadDriver;
import dev.penstock.bench.client.LoadFigures;
import dev.penstock.bench.experiment.Experiment;
import dev.penstock.bench.experiment.Interleaved;
import dev.penstock.bench.experiment.Progress;
import dev.penstock.bench.experiment.Settings;
import dev.penstock.bench.report.Outcome;
import dev.penstock.databases.TestDatabase;
import dev.penstock.presidents.Presidents;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Article 1's comparison: the page streamed, against a list of objects, the same list serialised, and a lazy iterable; over
 * rows, clients, heaps and databases.
 */
public final class PresidentsExperiment implements Experiment {
    /** Requests that run at once, each with a connection; the others wait. Article 1's most. */
    static final int RUNNING = 32;

    private static final List<Integer> ROWS = List.of(86, 129, 172, 301, 473, 989);
    private static final List<Integer> CLIENTS = List.of(4, 16, 32, 128, 1024);
    private static final List<TestDatabase.Kind> DATABASES =
            List.of(TestDatabase.Kind.POSTGRESQL, TestDatabase.Kind.MARIADB);
    private static final List<PageVariant> VARIANTS =
            List.of(PageVariant.STREAMING, PageVariant.LOCAL, PageVariant.REMOTE, PageVariant.LAZY);
    private static final Duration COLLECT = Duration.ofMillis(100);

    /** How long a server answers before it is measured. */
    private static final Duration COMPILING = Duration.ofSeconds(4);

    private static final Duration WHOLE_ROUND = Duration.ofMinutes(10);

    /** Without {@code --full}, repetitions are cut so that all is done by then, on a machine that starts servers in seconds. */
    private static final Duration LIMIT = Duration.ofMinutes(8);

    /** The least repetitions that are not cut. */
    private static final int LEAST_REPETITIONS = 2;

    /** One cell of the grid. */
    public record Point(int rows, int clients) {}

    @Override
    public String name() {
        return "presidents";
    }

    @Override
    public String summary() {
        return "article 1: the page streamed, from a list, serialised, lazy; under 10 minutes, --full hours";
    }

    /** The cells: the corners of the grid, or all of it; at a small scale only the smallest. */
    public static List<Point> points(boolean full, double scale) {
        List<Integer> rows = full ? ROWS : List.of(ROWS.getFirst(), ROWS.getLast());
        List<Integer> clients = full ? CLIENTS : List.of(CLIENTS.getFirst(), CLIENTS.getLast());
        List<Point> points = new ArrayList<>();
        for (int each : rows) {
            for (int count : clients) {
                points.add(new Point(each, (int) Math.max(2, Math.round(count * scale))));
            }
        }
        return points;
    }

    @Override
    public Outcome run(Settings settings, Progress progress) throws Exception {
        List<String> heaps = settings.heapsOr("64m", "1g");
        List<TestDatabase.Kind> kinds = settings.databasesOr(DATABASES);
        List<Point> points = points(settings.full(), settings.scale());
        progress.steps(
                (long) heaps.size()
                        * kinds.size()
                        * points.size()
                        * VARIANTS.size()
                        * (settings.repetitions() + 1));
        long end = settings.full() ? Long.MAX_VALUE : System.nanoTime() + LIMIT.toNanos();
        int left = heaps.size() * kinds.size() * points.size();
        List<PageGrid> grids = new ArrayList<>();
        try (LoadDriver driver = LoadDriver.start(settings.log("load-client"))) {
            for (TestDatabase.Kind kind : kinds) {
                try (TestDatabase database = database(kind)) {
                    for (String heap : heaps) {
                        PageGrid grid = new PageGrid(kind, heap);
                        grids.add(grid);
                        try (Servers servers = new Servers(database, heap, settings)) {
                            // Where there is least memory, what waits is of most interest.
                            boolean isSmallest = heap.equals(heaps.getFirst());
                            Run run = new Run(servers, driver, settings, progress, isSmallest);
                            for (PageVariant variant : VARIANTS) {
                                run.compile(variant);
                            }
                            // The short answers last, when the servers are warmest: there it counts
                            // most.
                            for (Point point : points.reversed()) {
                                long share = (end - System.nanoTime()) / left--;
                                grid.add(
                                        run.point(
                                                point,
                                                settings.full() ? end : System.nanoTime() + share));
                            }
                        }
                    }
                }
            }
        }
        return new PresidentsOutcome(grids, settings).outcome();
    }

    static TestDatabase database(TestDatabase.Kind kind) throws SQLException {
        TestDatabase database = TestDatabase.kept(kind, "presidents");
        try (Connection connection = database.connect()) {
            Presidents.create(connection);
        }
        return database;
    }

    private static Load.Expected expected(ServerUnderTest server, PageVariant variant, int rows)
            throws IOException, InterruptedException {
        return PageVariant.expected(LoadDriver.get(server.port(), variant.path(rows)), rows);
    }

    /** Clients that ask for a page again and again, or so many times each. */
    private static Load.Group group(
            PageVariant variant, int rows, int clients, int requests, Load.Expected expected) {
        return new Load.Group(
                "all", variant.path(rows), clients, requests, Duration.ZERO, 0, expected);
    }

    /** A server for each variant, so that one's memory is not another's. */
    private static final class Servers implements AutoCloseable {
        private final List<ServerUnderTest> servers = new ArrayList<>();

        private Servers(TestDatabase database, String heap, Settings settings) {
            for (PageVariant variant : VARIANTS) {
                String name = variant.name() + "-" + database.kind() + "-" + heap;
                servers.add(
                        new ServerUnderTest(
                                name, database, heap, RUNNING, true, settings.log(name)));
            }
        }

        private ServerUnderTest of(PageVariant variant) {
            return servers.get(VARIANTS.indexOf(variant));
        }

        @Override
        public void close() {
            servers.forEach(ServerUnderTest::close);
        }
    }

    /** One cell of every variant, measured in turns. */
    private record Run(
            Servers servers,
            LoadDriver driver,
            Settings settings,
            Progress progress,
            boolean isSmallest) {
        private List<PageCell> point(Point point, long end)
                throws IOException, InterruptedException {
            List<PageCell> cells = new ArrayList<>();
            for (PageVariant variant : VARIANTS) {
                cells.add(new PageCell(variant, point.rows, point.clients));
            }
            Load.Expected expected =
                    PresidentsExperiment.expected(
                            servers.of(PageVariant.STREAMING), PageVariant.STREAMING, point.rows);
            for (PageCell cell : cells) {
                warmUp(cell, expected);
            }
            for (int i = 0; i < settings.repetitions(); i++) {
                boolean cut = i >= LEAST_REPETITIONS && System.nanoTime() > end;
                for (PageCell cell : Interleaved.order(cells, i)) {
                    if (!cell.failed() && !cut) {
                        measure(cell, expected);
                    }
                    progress.step();
                }
            }
            PageCell streaming = cells.getFirst();
            if (point.clients > RUNNING && isSmallest && !streaming.failed()) {
                wholeRound(streaming, expected);
            }
            return cells;
        }

        /** Lets a server answer until what it runs is compiled: a cell alone is too short for that. */
        private void compile(PageVariant variant) throws InterruptedException {
            progress.doing(variant.name() + ", warming up");
            ServerUnderTest server = servers.of(variant);
            int rows = ROWS.getFirst();
            Duration window = Duration.ofNanos((long) (COMPILING.toNanos() * settings.scale()));
            try {
                Load.Expected expected = PresidentsExperiment.expected(server, variant, rows);
                Load.Group group = group(variant, rows, CLIENTS.getFirst(), 0, expected);
                driver.runOne(new Load(server.port(), Duration.ZERO, window, List.of(group)));
            } catch (IOException | IllegalStateException e) {
                // What it can't do will show, and count, where it is measured.
                server.restart();
            }
        }

        private void restart(PageCell cell) throws InterruptedException {
            servers.of(cell.variant()).restart();
            compile(cell.variant());
        }

        /** The run that warms the server up is also the one whose memory is measured, by forced collections. */
        private void warmUp(PageCell cell, Load.Expected expected) throws InterruptedException {
            progress.doing(describe(cell));
            ServerUnderTest server = servers.of(cell.variant());
            try {
                server.watch(COLLECT);
                cell.add(driver.runOne(load(server, cell, expected)), false);
                cell.memory(server.heap());
                server.settle();
            } catch (IOException e) {
                cell.failed(kind(e), 1);
            }
            if (cell.failed()) {
                restart(cell);
            }
            progress.step();
        }

        private void measure(PageCell cell, Load.Expected expected) throws InterruptedException {
            progress.doing(describe(cell));
            ServerUnderTest server = servers.of(cell.variant());
            try {
                cell.add(driver.runOne(load(server, cell, expected)), true);
                server.settle();
            } catch (IOException e) {
                cell.failed(kind(e), 1);
            }
            if (cell.failed()) {
                restart(cell);
            }
        }

        /** Each client to the end of one page, however long it waits: windows alone would not show who is never served. */
        private void wholeRound(PageCell cell, Load.Expected expected) {
            progress.doing(describe(cell) + ", to the last page");
            ServerUnderTest server = servers.of(cell.variant());
            try {
                Load.Group group = group(cell.variant(), cell.rows(), cell.clients(), 1, expected);
                LoadFigures figures =
                        driver.runOne(
                                new Load(
                                        server.port(), Duration.ZERO, WHOLE_ROUND, List.of(group)));
                cell.add(figures, false);
                cell.wholeRound(figures);
                if (figures.pending() > 0) {
                    cell.failed("never answered", figures.pending());
                }
                server.settle();
            } catch (IOException e) {
                cell.failed(kind(e), 1);
            }
        }

        private static String kind(IOException e) {
            return e instanceof Child.Failed ? "server hangs" : String.valueOf(e.getMessage());
        }

        private Load load(ServerUnderTest server, PageCell cell, Load.Expected expected)
                throws IOException {
            Load.Group group = group(cell.variant(), cell.rows(), cell.clients(), 0, expected);
            long window = window(cell).toNanos();
            return new Load(
                    server.port(),
                    Duration.ofNanos(window / 4),
                    Duration.ofNanos(window),
                    List.of(group));
        }

        private Duration window(PageCell cell) {
            boolean many = cell.clients() > RUNNING;
            boolean wide = cell.rows() > 300;
            if (settings.full()) {
                return Duration.ofMillis((long) ((many ? 4000 : 2000) * settings.scale()));
            }
            int milliseconds = 600 + (many ? 200 : 0) + (wide ? 300 : 0);
            return Duration.ofMillis(Math.max(100, (long) (milliseconds * settings.scale())));
        }

        private static String describe(PageCell cell) {
            return cell.variant().name()
                    + ", "
                    + cell.rows()
                    + " rows, "
                    + cell.clients()
                    + " clients";
        }
    }
}
