package dev.penstock.bench.transfer.cell;

import java.io.IOException;
import java.time.Duration;
import java.util.function.IntPredicate;

/** The smallest heap in which a cell passes: a JVM of that {@code -Xmx} does one transfer, and all of it arrives. */
final class SmallestHeap {
    /** Several times what a transfer takes in a heap that is large enough. */
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final CellUnderTest.Place place;

    SmallestHeap(CellUnderTest.Place place) {
        this.place = place;
    }

    /** Returns whether a cell passes in a heap of so many MB. */
    boolean passes(Cell cell, int megabytes) {
        try (CellUnderTest running = CellUnderTest.start(cell, megabytes + "m", place)) {
            running.run(1, LIMIT);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Finds it in MB, by halving.
     *
     * @param least in which it is not expected to pass
     * @param most beyond which is not looked
     * @param step how exact it is to be
     * @return NaN if it does not pass with the most either
     */
    double of(Cell cell, int least, int most, int step) {
        int found = search(least, most, step, megabytes -> passes(cell, megabytes));
        return found > most ? Double.NaN : found;
    }

    /** Returns the smallest of {@code least + i * step} that passes; more than {@code most} if none does. */
    static int search(int least, int most, int step, IntPredicate passes) {
        int failing = -1;
        int passing = (most - least) / step + 1;
        while (passing - failing > 1) {
            int middle = (failing + passing) >>> 1;
            if (passes.test(least + middle * step)) {
                passing = middle;
            } else {
                failing = middle;
            }
        }
        int found = least + passing * step;
        return passing > (most - least) / step ? Math.max(found, most + 1) : found;
    }
}
