package dev.penstock.films.page;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The HTML of the page. */
final class FilmsPage {
    /** What stands out in Java: constants of fields, and texts. */
    private static final Pattern JAVA =
            Pattern.compile(
                    "(?<constant>\\b[A-Z][a-zA-Z]*\\.[A-Z][A-Z0-9_]*\\b)"
                            + "|(?<text>&quot;.*?&quot;)|(?<number>\\b\\d+\\b)");

    /** What stands out in SQL: its words, and the marks of values. */
    private static final Pattern SQL =
            Pattern.compile(
                    "(?<constant>\\b(?:SELECT|DISTINCT|FROM|WHERE|AND|OR|NOT|IS|IN"
                            + "|NULLS|NULL|LIKE|ESCAPE|BETWEEN|ORDER"
                            + "|GROUP|BY|ASC|DESC|FIRST|LAST"
                            + "|LIMIT|OFFSET|FETCH|NEXT|ROWS|ONLY|COUNT|SUM|MIN|MAX|AVG"
                            + "|CAST|AS|CASE|WHEN|THEN|ELSE|END)\\b)"
                            + "|(?<text>&quot;.*?&quot;|'.*?')|(?<number>\\?|\\b\\d+\\b)");

    /** Before these a query goes on in the next line. */
    private static final Pattern CLAUSE =
            Pattern.compile(" (?=(?:FROM|WHERE|ORDER BY|GROUP BY|LIMIT|OFFSET|FETCH) )");

    private FilmsPage() {}

    /** Runs the showings and makes the page of what they showed. */
    static String of(List<Showing<?>> showings, String engine) {
        String cards =
                showings.stream()
                        .map(showing -> card(showing, showing.run()))
                        .collect(Collectors.joining("\n"));
        return template().replace("{{engine}}", escape(engine)).replace("{{showings}}", cards);
    }

    private static String template() {
        try (InputStream in =
                requireNonNull(FilmsPage.class.getResourceAsStream("films.html"), "films.html")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("can't read the resource films.html", e);
        }
    }

    private static String card(Showing<?> showing, Showing.Outcome outcome) {
        return """
        <article>
        <header><h2>%s</h2><span class="time">%s</span></header>
        <p>%s</p>
        <div class="two">
        <figure><figcaption>Java</figcaption><pre class="java"><code>%s</code></pre></figure>
        <figure><figcaption>SQL</figcaption>%s</figure>
        </div>
        %s<figure class="answer"><figcaption>Answer</figcaption><ol>%s</ol></figure>
        </article>\
        """
                .formatted(
                        escape(showing.title()),
                        time(outcome.nanoseconds()),
                        escape(showing.text()),
                        marked(JAVA, escape(showing.java())),
                        outcome.sql().stream()
                                .map(FilmsPage::sql)
                                .collect(Collectors.joining("\n")),
                        notes(outcome.notes()),
                        items(outcome.lines()));
    }

    private static String sql(String sql) {
        return "<pre><code>"
                + marked(SQL, escape(CLAUSE.matcher(sql).replaceAll("\n")))
                + "</code></pre>";
    }

    private static String notes(List<String> notes) {
        return notes.isEmpty() ? "" : "<ul class=\"notes\">" + items(notes) + "</ul>\n";
    }

    private static String items(List<String> lines) {
        return lines.stream()
                .map(line -> "<li>" + escape(line) + "</li>")
                .collect(Collectors.joining("\n"));
    }

    private static String time(long nanoseconds) {
        return String.format(Locale.ROOT, "%.2f ms", nanoseconds / 1e6);
    }

    /** Escaped text with elements around what the pattern's groups find. */
    private static String marked(Pattern pattern, String escaped) {
        return pattern.matcher(escaped)
                .replaceAll(match -> {
                    String kind =
                            match.group("constant") != null
                                    ? "b"
                                    : match.group("text") != null ? "q" : "i";
                    return Matcher.quoteReplacement(
                            "<" + kind + ">" + match.group() + "</" + kind + ">");
                });
    }

    /** Text as it stands in an element or in double quotes. */
    private static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
