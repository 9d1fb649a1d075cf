package dev.penstock.bench.experiment;

import dev.penstock.databases.TestDatabase;
import java.nio.file.Path;
import java.util.List;

/**
 * How an experiment is to be run.
 *
 * @param full everything, instead of what fits a few minutes
 * @param heaps the heaps of the servers, such as {@code 64m}
 * @param databases on which
 * @param out where results go; {@code logs} in it holds the children's logs
 * @param repetitions how many times each thing is measured
 * @param scale how much of the usual size and time: 1, or less for a trial that shows only that it works
 */
public record Settings(
        boolean full,
        List<String> heaps,
        List<TestDatabase.Kind> databases,
        Path out,
        int repetitions,
        double scale) {
    public Settings {
        heaps = List.copyOf(heaps);
        databases = List.copyOf(databases);
        if (repetitions < 1 || !(scale > 0)) {
            throw new IllegalArgumentException(
                    "repetitions " + repetitions + ", scale " + scale + ": both must be positive");
        }
    }

    /** The databases that were asked for, or those by default. */
    public List<TestDatabase.Kind> databasesOr(List<TestDatabase.Kind> otherwise) {
        return databases.isEmpty() ? otherwise : databases;
    }

    /** The heaps that were asked for, or those by default. */
    public List<String> heapsOr(String... otherwise) {
        return heaps.isEmpty() ? List.of(otherwise) : heaps;
    }

    public Path log(String child) {
        return out.resolve("logs").resolve(child + ".log");
    }

    /** So many, scaled, but at least one. */
    public int scaled(int count) {
        return (int) Math.max(1, Math.round(count * scale));
    }
}
