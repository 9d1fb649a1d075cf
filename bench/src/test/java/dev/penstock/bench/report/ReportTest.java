package dev.penstock.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.bench.child.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {
    @TempDir Path directory;

    private static Outcome outcome() {
        Outcome outcome = new Outcome("tried", "A trial <of> it");
        outcome.text("First \"this\".");
        outcome.finding("fast", "twice & more", true);
        outcome.finding("small", "not", false);
        outcome.add(
                new Outcome.Table(
                        "Requests a minute",
                        List.of("", "4 clients", "16 clients"),
                        List.of(List.of("86 rows", "", ""), List.of("local", "400", ""))));
        outcome.add(
                new Outcome.Chart(
                        "Heap",
                        "seconds",
                        "MB",
                        false,
                        List.of(
                                new Outcome.Series(
                                        "a", List.of(1.0, 2.0, 3.0), List.of(5.0, 6.5, 4.0)))));
        outcome.measured("speed", new Answer(Map.of("rows", "86")), "rows/s", Samples.of(3, 1, 2));
        return outcome;
    }

    @Test
    void read_writtenOutcome_isTheSame() throws IOException {
        Outcome outcome = outcome();
        Path file = directory.resolve("tried.json");
        OutcomeFile.write(outcome, Map.of("took", "3 s"), file);

        OutcomeFile.Read read = OutcomeFile.read(file);

        assertThat(read.outcome().parts()).isEqualTo(outcome.parts());
        assertThat(read.outcome().measurements()).isEqualTo(outcome.measurements());
        assertThat(read.circumstances()).isEqualTo(Map.of("took", "3 s"));
        assertThat(Files.readString(file)).contains("\"median\":2.0");
    }

    @Test
    void write_outcomes_onePageShowsAll() throws IOException {
        OutcomeFile.write(outcome(), Map.of("took", "3 s"), directory.resolve("tried.json"));

        String page = Files.readString(Report.write(directory));

        assertThat(page)
                .contains("<h2>A trial &lt;of&gt; it</h2>")
                .contains("<td class='yes'>✓</td><td>fast</td><td>twice &amp; more</td>")
                .contains("<td class='no'>✗</td><td>small</td>")
                .contains("<tr class='heading'><td>86 rows</td>")
                .contains("<td>400</td><td class='none'></td>")
                .contains("<figure><svg")
                .endsWith("</html>\n");
    }
}
