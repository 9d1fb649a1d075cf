package dev.penstock.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * An outcome as files: {@code NAME.md} with findings and tables, {@code NAME-1.svg} and so on with its charts, and,
 * where it is wanted, {@code NAME.json} with every single figure. {@code README.md} beside them lists the reports.
 *
 * <p>A long experiment can be reported in parts, each with circumstances of its own: they are sections of one page.
 */
public final class Report {
    private static final String INDEX = "README.md";

    /** The mark at the beginning of a part's section. */
    private static final Pattern PART = Pattern.compile("(?m)^<!-- part: (\\S+) -->\n");

    private final Outcome outcome;
    private final Map<String, String> circumstances;

    /**
     * The report of an outcome.
     *
     * @param circumstances where and when it came to be, and the command that gives it again
     */
    public Report(Outcome outcome, Map<String, String> circumstances) {
        this.outcome = outcome;
        this.circumstances = circumstances;
    }

    /** Writes the report, and a new list of reports. Returns the report's path. */
    public Path write(Path directory) throws IOException {
        return write(directory, text(), outcome.experiment());
    }

    /**
     * Writes the report as the section of a part. The sections of other parts stay as they are, and all are in the
     * order of the experiment's parts.
     *
     * @param order all parts of the experiment
     * @throws IllegalStateException if there is a {@linkplain #isWhole report of the whole}, which stays as it is
     */
    public Path writePart(Path directory, String part, List<String> order) throws IOException {
        Path file = directory.resolve(outcome.experiment() + ".md");
        if (isWhole(directory, outcome.experiment())) {
            throw new IllegalStateException(
                    "Part %s can't be written: %s is about the whole, and would be lost; remove it first"
                            .formatted(part, file));
        }
        Map<String, String> sections = Files.exists(file) ? sections(file) : new LinkedHashMap<>();
        String plots = outcome.experiment() + "-" + part;
        sections.put(part, text("## Part " + part, "###", plots));
        StringBuilder page = new StringBuilder("# " + outcome.title() + "\n");
        for (String each : order) {
            String section = sections.get(each);
            if (section != null) {
                page.append("\n<!-- part: %s -->\n%s".formatted(each, section));
            }
        }
        return write(directory, page.toString(), plots);
    }

    /** Returns whether there is a report of an experiment, and it is not in parts. */
    public static boolean isWhole(Path directory, String experiment) throws IOException {
        Path file = directory.resolve(experiment + ".md");
        return Files.exists(file) && sections(file).isEmpty();
    }

    /** The sections of a page by their parts; none where it is a report of the whole. */
    private static Map<String, String> sections(Path file) throws IOException {
        String page = Files.readString(file);
        Map<String, String> sections = new LinkedHashMap<>();
        List<MatchResult> starts = PART.matcher(page).results().toList();
        for (int i = 0; i < starts.size(); i++) {
            int end = i + 1 < starts.size() ? starts.get(i + 1).start() - 1 : page.length();
            sections.put(starts.get(i).group(1), page.substring(starts.get(i).end(), end));
        }
        return sections;
    }

    private Path write(Path directory, String page, String plots) throws IOException {
        Files.createDirectories(directory);
        Path file = directory.resolve(outcome.experiment() + ".md");
        int charts = 0;
        for (Outcome.Part part : outcome.parts()) {
            if (part instanceof Outcome.Chart chart) {
                charts++;
                Files.writeString(directory.resolve(plot(plots, charts)), Charts.svg(chart));
            }
        }
        Files.writeString(file, page);
        writeIndex(directory);
        return file;
    }

    /** Writes every single figure as JSON. */
    public void writeFigures(Path directory) throws IOException {
        Files.createDirectories(directory);
        OutcomeFile.write(
                outcome, circumstances, directory.resolve(outcome.experiment() + ".json"));
    }

    private static String plot(String plots, int number) {
        return plots + "-" + number + ".svg";
    }

    /** Returns the report in Markdown, whose tables are aligned, so that a terminal can show it too. */
    public String text() {
        return text("# " + outcome.title(), "##", outcome.experiment());
    }

    private String text(String heading, String level, String plots) {
        StringBuilder page = new StringBuilder(heading + "\n");
        int charts = 0;
        for (Outcome.Part part : outcome.parts()) {
            switch (part) {
                case Outcome.Text text -> page.append('\n').append(text.text()).append('\n');
                case Outcome.Finding finding -> {
                    // They stand together below.
                }
                case Outcome.Table table -> {
                    page.append("\n**").append(table.title()).append("**\n\n");
                    table(page, table.header(), table.rows(), true);
                }
                case Outcome.Chart chart -> {
                    charts++;
                    page.append("\n![%s](%s)\n".formatted(chart.title(), plot(plots, charts)));
                }
            }
        }
        findings(page, level);
        circumstances(page, level);
        return page.toString();
    }

    private void findings(StringBuilder page, String level) {
        if (!outcome.findings().isEmpty()) {
            page.append("\n" + level + " Goals\n\n");
            List<List<String>> rows =
                    outcome.findings().stream()
                            .map(finding ->
                                    List.of(
                                            finding.reached() ? "reached" : "MISSED",
                                            finding.goal(),
                                            finding.measured()))
                            .toList();
            table(page, List.of("", "goal", "measured"), rows, false);
        }
    }

    private void circumstances(StringBuilder page, String level) {
        page.append("\n" + level + " How it was measured\n\n");
        List<List<String>> rows = new ArrayList<>();
        circumstances.forEach((name, value) -> rows.add(List.of(name, value)));
        outcome.peers().forEach((name, version) -> rows.add(List.of(name, version)));
        table(page, List.of("", ""), rows, false);
    }

    /**
     * @param figures whether the columns behind the first are figures, which stand at the right
     */
    private static void table(
            StringBuilder page,
            List<String> header,
            List<? extends List<?>> rows,
            boolean figures) {
        int[] widths = new int[header.size()];
        List<List<String>> all = new ArrayList<>(List.of(header));
        rows.forEach(row -> all.add(row.stream().map(Outcome.Table::text).toList()));
        for (List<String> row : all) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(Math.max(3, widths[i]), escape(row.get(i)).length());
            }
        }
        for (int i = 0; i < all.size(); i++) {
            line(page, all.get(i), widths, figures);
            if (i == 0) {
                for (int column = 0; column < widths.length; column++) {
                    page.append("| ").append("-".repeat(widths[column] - 1));
                    page.append(column > 0 && figures ? ": " : "- ");
                }
                page.append("|\n");
            }
        }
    }

    private static void line(StringBuilder page, List<String> row, int[] widths, boolean figures) {
        for (int i = 0; i < widths.length; i++) {
            String cell = escape(row.get(i));
            String pad = " ".repeat(widths[i] - cell.length());
            page.append("| ").append(i > 0 && figures ? pad + cell : cell + pad).append(' ');
        }
        page.append("|\n");
    }

    private static String escape(String cell) {
        return cell.replace("|", "\\|").replace("<", "&lt;");
    }

    private static void writeIndex(Path directory) throws IOException {
        StringBuilder page =
                new StringBuilder(
                        """
                        # Measured results

                        Reports of `./penstock bench NAME --publish`, each with the machine, the commit, what was
                        measured beside Penstock, and the command that gives it again.

                        """);
        try (Stream<Path> files = Files.list(directory)) {
            List<Path> reports =
                    files.filter(file -> file.getFileName().toString().endsWith(".md"))
                            .filter(file -> !file.endsWith(INDEX))
                            .sorted()
                            .toList();
            for (Path report : reports) {
                try (Stream<String> lines = Files.lines(report)) {
                    String title =
                            lines.limit(1)
                                    .map(line -> line.replaceFirst("^# ", ""))
                                    .collect(Collectors.joining());
                    page.append("- [%s](%s)\n".formatted(title, report.getFileName()));
                }
            }
        }
        Files.writeString(directory.resolve(INDEX), page);
    }
}
