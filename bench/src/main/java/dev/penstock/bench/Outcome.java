package dev.penstock.bench;

import java.util.ArrayList;
import java.util.List;

/**
 * What an experiment found, ready to be shown: findings, tables and charts, in order. Filled by one thread, and read when it
 * is done.
 */
final class Outcome {
    /** Something that is shown. */
    sealed interface Part {}

    /** A paragraph. */
    record Text(String text) implements Part {}

    /**
     * A goal, and whether it was reached.
     *
     * @param goal what was to be reached
     * @param measured what was measured
     */
    record Finding(String goal, String measured, boolean reached) implements Part {}

    /** A table; its first column labels the rows. An empty cell is one that has no figure. */
    record Table(String title, List<String> header, List<List<String>> rows) implements Part {
        Table {
            header = List.copyOf(header);
            rows = rows.stream().map(List::copyOf).toList();
            for (List<String> row : rows) {
                if (row.size() != header.size()) {
                    throw new IllegalArgumentException(
                            title + ": " + row + " has not " + header.size() + " cells");
                }
            }
        }
    }

    /** Lines or points over numbers. */
    record Chart(
            String title,
            String horizontal,
            String vertical,
            boolean logarithmic,
            List<Series> series)
            implements Part {
        Chart {
            series = List.copyOf(series);
        }
    }

    /** One line of a chart; both lists have the same length. */
    record Series(String name, List<Double> xs, List<Double> ys) {
        Series {
            xs = List.copyOf(xs);
            ys = List.copyOf(ys);
            if (xs.size() != ys.size()) {
                throw new IllegalArgumentException(name + ": " + xs.size() + " and " + ys.size());
            }
        }
    }

    /** A figure as it was measured, for programs that read the results: every repetition of it. */
    record Measurement(String name, Answer where, String unit, List<Double> values) {
        Measurement {
            values = List.copyOf(values);
        }
    }

    private final String experiment;
    private final String title;
    private final List<Part> parts = new ArrayList<>();
    private final List<Measurement> measurements = new ArrayList<>();

    Outcome(String experiment, String title) {
        this.experiment = experiment;
        this.title = title;
    }

    String experiment() {
        return experiment;
    }

    String title() {
        return title;
    }

    List<Part> parts() {
        return List.copyOf(parts);
    }

    List<Measurement> measurements() {
        return List.copyOf(measurements);
    }

    void add(Part part) {
        parts.add(part);
    }

    void text(String text) {
        parts.add(new Text(text));
    }

    void finding(String goal, String measured, boolean reached) {
        parts.add(new Finding(goal, measured, reached));
    }

    void measured(Measurement measurement) {
        measurements.add(measurement);
    }

    void measured(String name, Answer where, String unit, Samples samples) {
        measurements.add(new Measurement(name, where, unit, samples.values()));
    }

    List<Finding> findings() {
        return parts.stream().filter(Finding.class::isInstance).map(Finding.class::cast).toList();
    }
}
