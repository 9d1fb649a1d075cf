package dev.penstock.bench.pages;

import dev.penstock.bench.child.Child;
import dev.penstock.bench.client.Load;
import dev.penstock.bench.client.LoadDriver;
import dev.penstock.bench.client.LoadFigures;
import dev.penstock.bench.experiment.Experiment;
import dev.penstock.bench.experiment.Trial;
import dev.penstock.bench.report.Outcome;
import dev.penstock.bench.server.ServerUnderTest;
import dev.penstock.databases.TestDatabase;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The comparison of a page that is streamed with a list of objects, the same list serialised, and a lazy iterable;
 * over rows, clients, heaps and databases.
 */
public final class PresidentsExperiment extends Experiment {
    /** Requests that run at once, each with a connection; the others wait. */
    static final int RUNNING = 32;

    private static final List<Integer> ROWS = List.of(86, 129, 172, 301, 473, 989);
    private static final List<Integer> CLIENTS = List.of(4, 16, 32, 128, 1024);
    private static final List<PageVariant> VARIANTS =
            List.of(PageVariant.STREAMING, PageVariant.LOCAL, PageVariant.REMOTE, PageVariant.LAZY);
    private static final Duration COLLECT = Duration.ofMillis(100);

    /** How long a server answers before it is measured. */
    private static final Duration COMPILING = Duration.ofSeconds(4);

    private static final Duration WHOLE_ROUND = Duration.ofMinutes(10);

    /**
     * Without {@code --full}, repetitions are cut so that all is done by then, on a machine that starts servers in
     * seconds.
     */
    private static final Duration LIMIT = Duration.ofMinutes(8);

    /** The least repetitions that are not cut. */
    private static final int LEAST_REPETITIONS = 2;

    /** One place of the grid. */
    record Point(int rows, int clients) {}

    /** The experiment. */
    public PresidentsExperiment() {
        super(
                "presidents",
                "a page streamed, from a list, serialised, lazy; under 10 minutes, --full hours");
    }

    /** Returns the places: the corners of the grid, or all of it; at a small scale with few clients. */
    static List<Point> points(boolean full, double scale) {
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
    public Outcome run(Trial trial) throws Exception {
        List<String> heaps = trial.heaps("64m", "1g");
        List<TestDatabase.Kind> kinds = trial.databases();
        List<Point> points = points(trial.full(), trial.settings().scale());
        int places = heaps.size() * kinds.size() * points.size();
        trial.steps((long) places * VARIANTS.size() * (trial.repetitions() + 1));
        long end = trial.full() ? Long.MAX_VALUE : System.nanoTime() + LIMIT.toNanos();
        List<PageGrid> grids = new ArrayList<>();
        try (LoadDriver driver = trial.loadDriver()) {
            for (TestDatabase.Kind kind : kinds) {
                try (TestDatabase database = ComparedPages.database(kind)) {
                    for (String heap : heaps) {
                        PageGrid grid = new PageGrid(kind, heap, new ArrayList<>());
                        grids.add(grid);
                        // Where there is least memory, what waits is of most interest.
                        boolean smallest = heap.equals(heaps.getFirst());
                        try (Run run = new Run(database, heap, driver, trial, smallest)) {
                            // The short answers last, when the servers are warmest: there it counts
                            // most.
                            for (Point point : points.reversed()) {
                                long now = System.nanoTime();
                                long until = trial.full() ? end : now + (end - now) / places--;
                                grid.cells().addAll(run.cells(point, until));
                            }
                        }
                    }
                }
            }
        }
        return new PresidentsReport(grids).outcome(trial);
    }

    /** A server for each variant, so that one's memory is not another's, which are measured in turns. */
    private static final class Run implements AutoCloseable {
        private final Trial trial;
        private final boolean smallest;
        private final Map<PageVariant, ServerUnderTest> servers = new LinkedHashMap<>();

        private Run(
                TestDatabase database,
                String heap,
                LoadDriver driver,
                Trial trial,
                boolean smallest)
                throws InterruptedException {
            this.trial = trial;
            this.smallest = smallest;
            for (PageVariant variant : VARIANTS) {
                servers.put(
                        variant,
                        new ServerUnderTest.Plan(
                                        variant + "-" + heap, heap, RUNNING, ComparedPages::mount)
                                .on(database, driver, trial));
                compile(variant);
            }
        }

        private ServerUnderTest server(PageVariant variant) {
            return servers.getOrDefault(variant, servers.values().iterator().next());
        }

        private List<PageCell> cells(Point point, long until) throws Exception {
            List<PageCell> cells =
                    VARIANTS.stream()
                            .map(variant -> new PageCell(variant, point.rows, point.clients))
                            .toList();
            PageVariant streaming = PageVariant.STREAMING;
            Load.Expected expected = streaming.expected(server(streaming), point.rows);
            for (PageCell cell : cells) {
                trial.doing(cell + ", warming up");
                attempt(cell, server -> warmUp(server, cell, expected));
                trial.step();
            }
            trial.interleave(
                    0,
                    "",
                    cells,
                    (cell, _) -> {
                        boolean cut =
                                cell.repetitions.size() >= LEAST_REPETITIONS
                                        && System.nanoTime() > until;
                        if (cell.failures.isEmpty() && !cut) {
                            attempt(cell, server -> cell.add(load(server, cell, expected), true));
                        }
                    });
            PageCell streamed = cells.getFirst();
            if (point.clients > RUNNING && smallest && streamed.failures.isEmpty()) {
                trial.doing(streamed + ", to the last page");
                attempt(streamed, server -> wholeRound(server, streamed, expected));
            }
            return cells;
        }

        /** Lets a server answer until what it runs is compiled: a cell alone is too short for that. */
        private void compile(PageVariant variant) throws InterruptedException {
            trial.doing(variant + ", warming up");
            ServerUnderTest server = server(variant);
            PageCell cell = new PageCell(variant, ROWS.getFirst(), CLIENTS.getFirst());
            try {
                Load.Group group = cell.group(variant.expected(server, cell.rows));
                server.load(trial.scaled(COMPILING, Duration.ZERO), group);
            } catch (IOException | IllegalStateException e) {
                // What it can't do will show, and count, where it is measured.
                server.restart();
            }
        }

        /** A load whose failure is the cell's. */
        private interface Attempt {
            void on(ServerUnderTest server) throws IOException;
        }

        private void attempt(PageCell cell, Attempt attempt) throws InterruptedException {
            ServerUnderTest server = server(cell.variant);
            try {
                attempt.on(server);
                server.settle();
            } catch (IOException e) {
                boolean hangs = e instanceof Child.Failed;
                cell.failed(hangs ? "server hangs" : String.valueOf(e.getMessage()), 1);
            }
            if (!cell.failures.isEmpty()) {
                server.restart();
                compile(cell.variant);
            }
        }

        /** The run that warms the server up is also the one whose memory is measured, by forced collections. */
        private void warmUp(ServerUnderTest server, PageCell cell, Load.Expected expected)
                throws IOException {
            long idle = server.watch(COLLECT);
            cell.add(load(server, cell, expected), false);
            cell.liveBytes = Math.max(0, server.heap().mostBytes() - idle);
            cell.residentBytes = server.peakResidentBytes();
        }

        private LoadFigures load(ServerUnderTest server, PageCell cell, Load.Expected expected)
                throws IOException {
            Duration window = window(cell);
            return server.load(window.dividedBy(4), window, cell.group(expected));
        }

        private Duration window(PageCell cell) {
            boolean many = cell.clients > RUNNING;
            int milliseconds =
                    trial.full()
                            ? (many ? 4000 : 2000)
                            : 600 + (many ? 200 : 0) + (cell.rows > 300 ? 300 : 0);
            return trial.scaled(Duration.ofMillis(milliseconds), Duration.ofMillis(100));
        }

        /**
         * Each client to the end of one page, however long it waits: windows alone would not show who is never
         * served.
         */
        private void wholeRound(ServerUnderTest server, PageCell cell, Load.Expected expected)
                throws IOException {
            LoadFigures figures = server.load(WHOLE_ROUND, cell.group(expected).requests(1));
            cell.add(figures, false);
            cell.wholeRoundSeconds = figures.latency().max() / 1000;
            if (figures.pending() > 0) {
                cell.failed("never answered", figures.pending());
            }
        }

        @Override
        public void close() {
            servers.values().forEach(ServerUnderTest::close);
        }
    }
}
