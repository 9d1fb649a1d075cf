package dev.penstock.bench.transfer.cell;

import dev.penstock.bench.experiment.Trial;
import dev.penstock.bench.report.Samples;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The times of an operation's cells in a heap that is large enough: each has its JVM, and they take turns, so that they
 * share what else the machine does.
 */
final class CellTimes {
    /**
     * Bodies that are sent one at a time before any is measured: with fewer, the compiler of the JVM is measured, which
     * has more to do where chunks go through a server's code than where the JDK fills one array.
     */
    private static final int WARM_UP = 8;

    /** The same in a trial, which measures nothing. */
    private static final int WARM_UP_OF_TRIAL = 1;

    private static final double TRIAL = 0.1;

    private static final Duration LIMIT = Duration.ofSeconds(60);

    /** The figures of one cell, one a repetition. */
    static final class Seen {
        final Samples milliseconds = new Samples();
        final Samples processorMilliseconds = new Samples();
        final Samples cores = new Samples();
        final Samples oldMegabytes = new Samples();
        final Samples collectionMilliseconds = new Samples();

        void add(CellUnderTest.Round round) {
            double processor = round.use().processorNanos() / 1e6;
            milliseconds.add(round.milliseconds());
            processorMilliseconds.add(processor);
            cores.add(processor / round.milliseconds());
            oldMegabytes.add(round.use().oldBytes() / 1e6);
            collectionMilliseconds.add((double) round.use().collectionMilliseconds());
        }
    }

    private CellTimes() {}

    /** Counts the steps that the measurement of so many cells has. */
    static int steps(Trial trial, int cells) {
        return cells * (trial.repetitions() + warmUp(trial));
    }

    private static int warmUp(Trial trial) {
        return trial.settings().scale() < TRIAL ? WARM_UP_OF_TRIAL : WARM_UP;
    }

    /**
     * Measures cells beside each other.
     *
     * @param heaps of each cell
     */
    static Map<Cell, Seen> measure(Map<Cell, String> heaps, CellUnderTest.Place place)
            throws Exception {
        Map<Cell, Seen> all = new LinkedHashMap<>();
        List<CellUnderTest> running = new ArrayList<>();
        try {
            for (Map.Entry<Cell, String> each : heaps.entrySet()) {
                running.add(CellUnderTest.start(each.getKey(), each.getValue(), place));
                all.put(each.getKey(), new Seen());
            }
            place.trial()
                    .interleave(
                            warmUp(place.trial()),
                            "",
                            running,
                            (cell, counts) -> {
                                CellUnderTest.Round round = cell.run(1, LIMIT);
                                if (counts) {
                                    add(all, cell, round);
                                }
                            });
        } finally {
            running.forEach(CellUnderTest::close);
        }
        return all;
    }

    private static void add(Map<Cell, Seen> all, CellUnderTest cell, CellUnderTest.Round round)
            throws IOException {
        Seen seen = all.get(cell.cell());
        if (seen == null) {
            throw new IOException(cell + " is not measured here");
        }
        seen.add(round);
    }
}
