package dev.penstock.bench.transfer.cell;

import dev.penstock.bench.experiment.Trial;
import dev.penstock.bench.report.Figures;
import dev.penstock.bench.report.Outcome;
import dev.penstock.bench.report.Samples;
import dev.penstock.bench.transfer.load.RawServer;
import dev.penstock.bench.transfer.load.TestFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The article's table, and what the size of chunks does to it. */
public final class CellsPart {
    /** The body of the article. */
    public static final long BYTES = 200_000_000;

    private static final List<Integer> CHUNKS =
            List.of(8 * 1024, 64 * 1024, 256 * 1024, 1024 * 1024, 5_000_000);

    /** The chunk that stands in the article's table. */
    private static final int USUAL = 64 * 1024;

    /** A trial has only this part of the cells. */
    private static final double TRIAL = 0.1;

    private static final int SMALL_CHUNK = 256 * 1024;
    private static final int MOST_OF_SMALL = 12;
    private static final int MOST_OF_LARGE = 24;
    private static final String CHUNKED_HEAP = "32m";
    private static final String WHOLE_HEAP = "1g";
    private static final int LEAST_CHUNKED = 3;
    private static final int MOST_CHUNKED = 64;
    private static final int MOST_WHOLE = 1024;
    private static final int STEP_WHOLE = 16;

    private final Trial trial;
    private final List<Integer> chunks;
    private final List<Operation> operations;
    private final Map<Cell, CellTimes.Seen> times = new LinkedHashMap<>();
    private final Map<Cell, Double> heaps = new LinkedHashMap<>();

    /** The part of a run. */
    public CellsPart(Trial trial) {
        this.trial = trial;
        boolean isTrial = trial.settings().scale() < TRIAL;
        chunks = isTrial ? List.of(USUAL) : CHUNKS;
        operations = isTrial ? List.of(Operation.CLIENT_RECEIVES) : List.of(Operation.values());
    }

    /** Returns how many steps it has. */
    public int steps() {
        int cells = chunks.size() + 1;
        return operations.size() * (CellTimes.steps(trial, cells) + cells);
    }

    /** Measures all cells, in a directory for files. */
    public void measure(Outcome outcome, Path directory) throws Exception {
        long bytes = trial.scaled(BYTES, 1000);
        TestFile file = TestFile.write(directory.resolve("file"), bytes, 1);
        try (RawServer other = RawServer.start(file)) {
            CellUnderTest.Place place = new CellUnderTest.Place(file, directory, other, trial);
            for (Operation operation : operations) {
                times.putAll(CellTimes.measure(heaps(operation), place));
                search(operation, new SmallestHeap(place));
            }
        }
        goals(outcome);
        articleTable(outcome, bytes);
        chunkTable(outcome);
        charts(outcome);
    }

    private Map<Cell, String> heaps(Operation operation) {
        Map<Cell, String> all = new LinkedHashMap<>();
        all.put(Cell.whole(operation), WHOLE_HEAP);
        chunks.forEach(chunk -> all.put(new Cell(operation, chunk), CHUNKED_HEAP));
        return all;
    }

    private void search(Operation operation, SmallestHeap smallest) {
        boolean isTrial = chunks.size() == 1;
        for (int chunk : chunks) {
            Cell cell = new Cell(operation, chunk);
            trial.doing("smallest heap of: " + operation + ", " + cell);
            // A trial asks for the largest alone, whether it passes.
            int least = isTrial ? MOST_CHUNKED : LEAST_CHUNKED;
            heaps.put(cell, smallest.of(cell, least, MOST_CHUNKED, 1));
            trial.step();
        }
        Cell whole = Cell.whole(operation);
        trial.doing("smallest heap of: " + operation + ", " + whole);
        int least =
                isTrial
                        ? MOST_WHOLE
                        : (int) (trial.scaled(BYTES, 1000) / 1_000_000) + LEAST_CHUNKED;
        int step = trial.full() ? 1 : STEP_WHOLE;
        heaps.put(whole, smallest.of(whole, least, MOST_WHOLE, step));
        trial.step();
    }

    private CellTimes.Seen seen(Cell cell) {
        return Objects.requireNonNull(times.get(cell));
    }

    private double heap(Cell cell) {
        return heaps.getOrDefault(cell, Double.NaN);
    }

    private void goals(Outcome outcome) {
        for (Operation operation : operations) {
            double small = 0;
            double large = Double.NaN;
            double slowest = 0;
            for (int chunk : chunks) {
                Cell cell = new Cell(operation, chunk);
                // A heap that was not found is larger than any.
                double heap = Double.isNaN(heap(cell)) ? MOST_CHUNKED + 1 : heap(cell);
                small = chunk <= SMALL_CHUNK ? Math.max(small, heap) : small;
                large = chunk == 5_000_000 ? heap : large;
                Samples whole = seen(Cell.whole(operation)).milliseconds;
                slowest = Math.max(slowest, seen(cell).milliseconds.medianRatio(whole));
            }
            outcome.atMost(
                    operation + " in chunks of at most 256 KiB: smallest heap at most 12 MB",
                    small,
                    MOST_OF_SMALL,
                    CellsPart::mebibytes);
            if (!Double.isNaN(large)) {
                outcome.atMost(
                        operation + " in chunks of 5 MB: smallest heap at most 24 MB",
                        large,
                        MOST_OF_LARGE,
                        CellsPart::mebibytes);
            }
            outcome.finding(
                    operation + ": chunks of any size faster than the whole body",
                    "%s of its time at the slowest".formatted(Figures.percent(slowest)),
                    slowest < 1);
        }
    }

    private static String mebibytes(double megabytes) {
        return megabytes > MOST_CHUNKED
                ? "more than %d MB".formatted(MOST_CHUNKED)
                : Figures.number(megabytes) + " MB";
    }

    private void articleTable(Outcome outcome, long bytes) {
        Outcome.Table table =
                outcome.table(
                        "One body of %s: memory is the smallest heap in which it passes"
                                .formatted(Figures.megabytes(bytes)),
                        "Operation|Loading data in chunks|Memory (MB)|CPU (cores, average)|Execution time (ms)"
                                + "|CPU time (ms)|old generation, most (MB)|collections (ms)|article: MB, ms");
        for (Operation operation : operations) {
            for (Cell cell : List.of(Cell.whole(operation), new Cell(operation, USUAL))) {
                CellTimes.Seen seen = seen(cell);
                table.row(
                        operation.toString(),
                        cell.isInChunks() ? "Y (64 KiB)" : "N",
                        heap(cell),
                        seen.cores,
                        seen.milliseconds,
                        seen.processorMilliseconds,
                        seen.oldMegabytes,
                        seen.collectionMilliseconds,
                        operation.inArticle(cell.isInChunks()));
            }
        }
        outcome.text(
                """
                The measured side runs in a JVM of its own (times: %s for chunks, %s for whole bodies) and reads from
                a file, or writes one. The other side is a blocking socket without any library, and the operating system
                sends its files. Whole bodies are one array, by the JDK's own HttpServer and HttpClient.
                """
                        .formatted(CHUNKED_HEAP, WHOLE_HEAP));
    }

    private void chunkTable(Outcome outcome) {
        List<String> header = new ArrayList<>(List.of("chunks of"));
        for (Operation operation : operations) {
            header.add(operation + ": ms");
            header.add("smallest heap, MB");
        }
        Outcome.Table table = outcome.table("By the size of chunks", header);
        List<Integer> rows = new ArrayList<>(chunks);
        rows.add(0);
        for (int chunk : rows) {
            List<Object> row = new ArrayList<>(List.of(chunk == 0 ? "whole" : Cell.size(chunk)));
            for (Operation operation : operations) {
                Cell cell = new Cell(operation, chunk);
                row.add(seen(cell).milliseconds);
                row.add(heap(cell));
            }
            table.row(row);
        }
    }

    private void charts(Outcome outcome) {
        String horizontal = "chunk in KiB, as a power of two";
        Outcome.Chart heap = outcome.chart("Smallest heap by size of chunks", horizontal, "MB");
        Outcome.Chart time = outcome.chart("Time by size of chunks", horizontal, "ms");
        for (Operation operation : operations) {
            for (int chunk : chunks) {
                Cell cell = new Cell(operation, chunk);
                double power = Math.log(chunk / 1024.0) / Math.log(2);
                heap.point(operation.toString(), power, heap(cell));
                time.point(operation.toString(), power, seen(cell).milliseconds.median());
            }
        }
    }
}
