package dev.penstock.bench.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One HTML page, complete in itself, of every outcome in a directory. */
public final class Report {
    public static final String NAME = "report.html";

    private Report() {}

    /** Writes the page anew from the directory's outcomes. Returns its path. */
    public static Path write(Path directory) throws IOException {
        List<OutcomeFile.Read> outcomes = read(directory);
        StringBuilder page = new StringBuilder(HEAD);
        page.append("<h1>Penstock: what was measured</h1>\n<nav>");
        for (OutcomeFile.Read each : outcomes) {
            String name = escape(each.outcome().experiment());
            page.append("<a href='#").append(name).append("'>").append(name).append("</a> ");
        }
        page.append("</nav>\n");
        for (OutcomeFile.Read each : outcomes) {
            section(page, each);
        }
        page.append("</main></body></html>\n");
        Path file = directory.resolve(NAME);
        Files.writeString(file, page);
        return file;
    }

    private static List<OutcomeFile.Read> read(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.getFileName().toString().endsWith(".json"))
                    .sorted()
                    .map(file -> {
                        try {
                            return OutcomeFile.read(file);
                        } catch (IOException e) {
                            throw new UncheckedIOException("reading " + file, e);
                        }
                    })
                    .toList();
        }
    }

    private static void section(StringBuilder page, OutcomeFile.Read read) throws IOException {
        Outcome outcome = read.outcome();
        page.append("<section id='").append(escape(outcome.experiment())).append("'>\n<h2>");
        page.append(escape(outcome.title())).append("</h2>\n<p class='when'>");
        page.append(
                read.circumstances().entrySet().stream()
                        .map(Report::circumstance)
                        .collect(Collectors.joining(" · ")));
        page.append("</p>\n");
        findings(page, outcome.findings());
        for (Outcome.Part part : outcome.parts()) {
            switch (part) {
                case Outcome.Text text ->
                        page.append("<p>").append(escape(text.text())).append("</p>\n");
                case Outcome.Finding finding -> {
                    // They stand together at the top.
                }
                case Outcome.Table table -> table(page, table);
                case Outcome.Chart chart ->
                        page.append("<figure>").append(Charts.svg(chart)).append("</figure>\n");
            }
        }
        page.append("</section>\n");
    }

    private static String circumstance(Map.Entry<String, String> entry) {
        return escape(entry.getKey()) + " <b>" + escape(entry.getValue()) + "</b>";
    }

    private static void findings(StringBuilder page, List<Outcome.Finding> findings) {
        if (findings.isEmpty()) {
            return;
        }
        page.append("<table class='findings'><tr><th></th><th>Goal</th><th>Measured</th></tr>\n");
        for (Outcome.Finding finding : findings) {
            page.append(finding.reached() ? "<tr><td class='yes'>✓" : "<tr><td class='no'>✗");
            page.append("</td><td>").append(escape(finding.goal()));
            page.append("</td><td>").append(escape(finding.measured())).append("</td></tr>\n");
        }
        page.append("</table>\n");
    }

    private static void table(StringBuilder page, Outcome.Table table) {
        page.append("<table><caption>").append(escape(table.title())).append("</caption>\n<tr>");
        for (String cell : table.header()) {
            page.append("<th>").append(escape(cell)).append("</th>");
        }
        page.append("</tr>\n");
        for (List<String> row : table.rows()) {
            boolean heading = row.stream().skip(1).allMatch(String::isEmpty);
            page.append(heading ? "<tr class='heading'>" : "<tr>");
            for (int i = 0; i < row.size(); i++) {
                String cell = row.get(i);
                page.append(cell.isEmpty() && i > 0 && !heading ? "<td class='none'>" : "<td>");
                page.append(escape(cell)).append("</td>");
            }
            page.append("</tr>\n");
        }
        page.append("</table>\n");
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("'", "&#39;")
                .replace("\"", "&quot;");
    }

    private static final String HEAD =
            """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>Penstock: what was measured</title>
            <style>
              body { font: 15px/1.5 system-ui, sans-serif; color: #333a40; background: #f4f6f7; margin: 0; }
              main { max-width: 62rem; margin: 0 auto; padding: 1.5rem; }
              section { background: #fff; border-radius: 10px; padding: 1rem 1.6rem 1.6rem; margin: 1.4rem 0;
                        box-shadow: 0 1px 4px #0002; overflow-x: auto; }
              h1 { font-weight: 600; } h2 { font-weight: 600; margin-bottom: .2rem; }
              nav a { margin-right: 1rem; color: #0072b2; }
              .when { color: #6b757c; font-size: 13px; margin-top: 0; }
              table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }
              caption { text-align: left; font-weight: 600; padding-bottom: .3rem; }
              th { text-align: right; font-weight: 600; background: #f0f3f4; font-size: 13px; }
              td { text-align: right; border-bottom: 1px solid #e3e6e8; }
              th, td { padding: .22rem .7rem; white-space: nowrap; }
              th:first-child, td:first-child { text-align: left; }
              .findings th, .findings td { text-align: left; white-space: normal; }
              .heading td { font-weight: 600; padding-top: .8rem; }
              .none { background: repeating-linear-gradient(45deg, #f4dcd4 0 4px, #fff 4px 8px); }
              .yes { color: #00805c; font-weight: 700; } .no { color: #c0392b; font-weight: 700; }
              figure { margin: 1rem 0; } svg { max-width: 100%; height: auto; }
            </style></head><body><main>
            """;
}
