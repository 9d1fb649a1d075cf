package dev.penstock.bench.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.DoubleFunction;

/**
 * The findings, tables and charts of an experiment, in the order in which they are shown, with every single figure.
 * Filled by one thread, and read when it is done.
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

    /**
     * A table; its first column labels the rows. An empty cell is one that has no figure. Numbers are written as {@link
     * Figures#number}, samples as that of their median.
     */
    public record Table(String title, List<String> header, List<List<Object>> rows)
            implements Part {
        /**
         * Adds a row; a list gives several cells.
         *
         * @throws IllegalArgumentException if it has not as many cells as the header
         */
        public Table row(Object... cells) {
            List<Object> row = new ArrayList<>();
            for (Object cell : cells) {
                row.addAll(cell instanceof List<?> several ? several : List.of(cell));
            }
            if (row.size() != header.size()) {
                throw new IllegalArgumentException(
                        title + ": the row " + row + " has not " + header.size() + " cells");
            }
            rows.add(row);
            return this;
        }

        static String text(Object cell) {
            return switch (cell) {
                case Samples samples -> Figures.number(samples.median());
                case Number number -> Figures.number(number.doubleValue());
                default -> cell.toString();
            };
        }
    }

    /** A cell of samples whose median is written in a way of its own. */
    public record Cell(Samples samples, DoubleFunction<String> format) {
        @Override
        public String toString() {
            return format.apply(samples.median());
        }
    }

    /** Lines over numbers: of each its points, whose values are at their places. */
    public record Chart(
            String title,
            String horizontal,
            String vertical,
            boolean logarithmic,
            Map<String, Map<Double, Double>> lines)
            implements Part {
        /** Adds a point to a line, unless its value is none. */
        public Chart point(String line, double x, double y) {
            if (!Double.isNaN(y)) {
                lines.computeIfAbsent(line, _ -> new TreeMap<>()).put(x, y);
            }
            return this;
        }
    }

    private final String experiment;
    private final String title;
    private final List<Part> parts = new ArrayList<>();
    private final Map<String, String> peers = new TreeMap<>();

    /** An empty one of the experiment that is called so. */
    public Outcome(String experiment, String title) {
        this.experiment = experiment;
        this.title = title;
    }

    /** Returns the experiment's name. */
    public String experiment() {
        return experiment;
    }

    /** Returns what it is about, in a line. */
    public String title() {
        return title;
    }

    /** Returns what is shown. */
    public List<Part> parts() {
        return List.copyOf(parts);
    }

    /** Returns what was measured beside Penstock, with its version. */
    public Map<String, String> peers() {
        return Map.copyOf(peers);
    }

    /** Returns the findings among the parts. */
    public List<Finding> findings() {
        return parts.stream().filter(Finding.class::isInstance).map(Finding.class::cast).toList();
    }

    /** Adds a paragraph. */
    public void text(String text) {
        parts.add(new Text(text.strip()));
    }

    /** Adds a goal, and whether it was reached. */
    public void finding(String goal, String measured, boolean reached) {
        parts.add(new Finding(goal, measured, reached));
    }

    /** Adds the goal that a figure is at most a limit, and whether it is. */
    public void atMost(String goal, double figure, double limit, DoubleFunction<String> format) {
        finding(goal, format.apply(figure), figure <= limit);
    }

    /** Adds the goal that a figure is at least a limit, and whether it is. */
    public void atLeast(String goal, double figure, double limit, DoubleFunction<String> format) {
        finding(goal, format.apply(figure), figure >= limit);
    }

    /** Adds a table without rows, whose header has its cells between bars. */
    public Table table(String title, String header) {
        return table(title, List.of(header.split("\\|", -1)));
    }

    /** Adds a table without rows. */
    public Table table(String title, List<String> header) {
        Table table = new Table(title, List.copyOf(header), new ArrayList<>());
        parts.add(table);
        return table;
    }

    /** Adds a chart without points. */
    public Chart chart(String title, String horizontal, String vertical) {
        return chart(title, horizontal, vertical, false);
    }

    /** Adds a chart without points, whose values may stand on a logarithmic scale. */
    public Chart chart(String title, String horizontal, String vertical, boolean logarithmic) {
        Chart chart = new Chart(title, horizontal, vertical, logarithmic, new LinkedHashMap<>());
        parts.add(chart);
        return chart;
    }

    /** Notes what was measured beside Penstock. */
    public void peer(String name, String version) {
        peers.put(name, version);
    }

    /** Notes a library that was measured beside Penstock, by a class of it: its version is in the name of its jar. */
    public void peer(String name, Class<?> of) {
        String jar = of.getProtectionDomain().getCodeSource().getLocation().getPath();
        peer(name, jar.replaceAll(".*/[^/]*?-(\\d[^/]*)\\.jar", "$1"));
    }
}
