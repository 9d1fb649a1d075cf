package dev.penstock.bench.report;

import dev.penstock.bench.child.Answer;
import java.util.ArrayList;
import java.util.List;

/**
 * What an experiment found, ready to be shown: findings, tables and charts, in order. Filled by one thread, and read when it
 * is done.
 */
public final class Outcome {
    /** Something that is shown. */
    public sealed interface Part {}

    /** A paragraph. */
    public record Text(String text) implements Part {}

    /**
     * A goal, and whether it was reached.
     *
     * @param goal what was to be reached
     * @param measured what was measured
     */
    public record Finding(String goal, String measured, boolean reached) implements Part {}

    /** A table; its first column labels the rows. An empty cell is one that has no figure. */
    public record Table(String title, List<String> header, List<List<String>> rows)
            implements Part {
        public Table {
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
    public record Chart(
            String title,
            String horizontal,
            String vertical,
            boolean logarithmic,
            List<Series> series)
            implements Part {
        public Chart {
            series = List.copyOf(series);
        }
    }

    /** One line of a chart; both lists have the same length. */
    public record Series(String name, List<Double> xs, List<Double> ys) {
        public Series {
            xs = List.copyOf(xs);
            ys = List.copyOf(ys);
            if (xs.size() != ys.size()) {
                throw new IllegalArgumentException(name + ": " + xs.size() + " and " + ys.size());
            }
        }
    }

    /** A figure as it was measured, for programs that read the results: every repetition of it. */
    public record Measurement(String name, Answer where, String unit, List<Double> values) {
        public Measurement {
            values = List.copyOf(values);
        }
    }

    private final String experiment;
    private final String title;
    private final List<Part> parts = new ArrayList<>();
    private final List<Measurement> measurements = new ArrayList<>();

    public Outcome(String experiment, String title) {
        this.experiment = experiment;
        this.title = title;
    }

    public String experiment() {
        return experiment;
    }

    public String title() {
        return title;
    }

    public List<Part> parts() {
        return List.copyOf(parts);
    }

    public List<Measurement> measurements() {
        return List.copyOf(measurements);
    }

    public void add(Part part) {
        parts.add(part);
    }

    public void text(String text) {
        parts.add(new Text(text));
    }

    public void finding(String goal, String measured, boolean reached) {
        parts.add(new Finding(goal, measured, reached));
    }

    public void measured(Measurement measurement) {
        measurements.add(measurement);
    }

    public void measured(String name, Answer where, String unit, Samples samples) {
        measurements.add(new Measurement(name, where, unit, samples.values()));
    }

    public List<Finding> findings() {
        return parts.stream().filter(Finding.class::isInstance).map(Finding.class::cast).toList();
    }
}
