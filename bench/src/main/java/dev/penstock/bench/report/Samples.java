package dev.penstock.bench.report;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The figures that the repetitions of one measurement gave. Not thread-safe. */
public final class Samples {
    private final List<Double> values = new ArrayList<>();

    /** Samples of these values. */
    public static Samples of(double... values) {
        Samples samples = new Samples();
        for (double value : values) {
            samples.add(value);
        }
        return samples;
    }

    /** Adds the figure of a repetition. */
    public void add(double value) {
        values.add(value);
    }

    /** Returns whether there is none. */
    public boolean isEmpty() {
        return values.isEmpty();
    }

    /** Returns them in the order in which they were added. */
    public List<Double> values() {
        return List.copyOf(values);
    }

    /** Returns the middle one, or the mean of the middle two; NaN of none. */
    public double median() {
        if (values.isEmpty()) {
            return Double.NaN;
        }
        List<Double> sorted = new ArrayList<>(values);
        Collections.sort(sorted);
        int middle = sorted.size() / 2;
        return (sorted.get(middle) + sorted.get((sorted.size() - 1) / 2)) / 2;
    }

    /** Returns the largest; NaN of none. */
    public double max() {
        return values.stream().mapToDouble(Double::doubleValue).max().orElse(Double.NaN);
    }

    /** Returns the smallest; NaN of none. */
    public double min() {
        return values.stream().mapToDouble(Double::doubleValue).min().orElse(Double.NaN);
    }

    /**
     * Returns the median over the repetitions of this value by the other's of the same repetition. Interleaved
     * repetitions share what else the machine did at the time, so that it cancels out.
     */
    public double medianRatio(Samples other) {
        Samples ratios = new Samples();
        for (int i = 0; i < Math.min(values.size(), other.values.size()); i++) {
            ratios.add(values.get(i) / other.values.get(i));
        }
        return ratios.median();
    }
}
