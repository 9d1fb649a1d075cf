package dev.penstock.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {
    @TempDir Path directory;

    private static Report report(String name) {
        Outcome outcome = new Outcome(name, "A trial of it");
        outcome.text("First \"this\".");
        outcome.finding("fast", "twice & <more>", true);
        outcome.finding("small", "not", false);
        outcome.table("Requests a minute", "|4 clients|16 clients")
                .row("86 rows", "", "")
                .row(
                        "local | list",
                        1400,
                        new Outcome.Cell(Samples.of(3, 1, 2), Figures::milliseconds))
                .row("lazy", List.of(Samples.of(5, 4), Double.NaN));
        outcome.chart("Heap", "seconds", "MB")
                .point("a", 1, 5)
                .point("a", 2, 6.5)
                .point("a", 3, Double.NaN);
        outcome.peer("JUnit", Test.class);
        return new Report(outcome, Map.of("took", "3 s"));
    }

    @Test
    void text_outcome_isOnePageOfAlignedTables() {
        assertThat(report("tried").text())
                .startsWith(
                        """
                        # A trial of it

                        First "this".

                        **Requests a minute**

                        |               | 4 clients | 16 clients |
                        | ------------- | --------: | ---------: |
                        | 86 rows       |           |            |
                        | local \\| list |     1,400 |    2.00 ms |
                        | lazy          |      4.50 |            |

                        ![Heap](tried-1.svg)

                        ## Goals

                        |         | goal  | measured          |
                        | ------- | ----- | ----------------- |
                        | reached | fast  | twice & &lt;more> |
                        | MISSED  | small | not               |

                        ## How it was measured

                        """)
                .containsPattern(
                        "\\| took  \\| 3 s +\\|\n\\| JUnit \\| \\d+\\.\\d+\\.\\d+ +\\|\n$");
    }

    @Test
    void write_report_isPageWithPlotsInTheList() throws IOException {
        report("later").write(directory);
        Path page = report("early").write(directory);

        assertThat(page).hasFileName("early.md").content().startsWith("# A trial of it\n");
        assertThat(directory.resolve("early-1.svg"))
                .content()
                .startsWith("<svg")
                .contains("xmlns", "<line", "viewBox=\"0 0 640 360\"")
                .hasSizeLessThan(40_000);
        assertThat(directory.resolve("README.md"))
                .content()
                .startsWith("# Measured results\n")
                .endsWith("- [A trial of it](early.md)\n- [A trial of it](later.md)\n");
    }

    @Test
    void writePart_ofSeveral_areSectionsInTheirOrder() throws IOException {
        List<String> order = List.of("one", "two", "three");
        report("tried").writePart(directory, "three", order);
        Path page = report("tried").writePart(directory, "one", order);
        String before = Files.readString(page);

        assertThat(before)
                .startsWith(
                        "# A trial of it\n\n<!-- part: one -->\n## Part one\n\nFirst \"this\".\n\n")
                .contains("\n\n### Goals\n\n", "](tried-one-1.svg)", "](tried-three-1.svg)")
                .contains(" |\n\n<!-- part: three -->\n## Part three\n\nFirst")
                .doesNotContain("\n## Goals", "](tried-1.svg)", "\n\n\n");
        assertThat(directory.resolve("tried-one-1.svg")).content().startsWith("<svg");
        assertThat(directory.resolve("README.md"))
                .content()
                .endsWith("- [A trial of it](tried.md)\n");

        // One that is measured again is in its place, and nothing else changes.
        report("tried").writePart(directory, "three", order);
        assertThat(page).content().isEqualTo(before);
        report("tried").writePart(directory, "two", order);
        assertThat(page)
                .content()
                .containsSubsequence("## Part one\n", "## Part two\n", "## Part three\n")
                .startsWith(before.substring(0, before.indexOf("<!-- part: three")));
    }

    @Test
    void writePart_reportOfTheWholeIsThere_isRefusedAndThatStays() throws IOException {
        Path page = report("tried").write(directory);
        String whole = Files.readString(page);

        assertThat(Report.isWhole(directory, "tried")).isTrue();
        assertThatThrownBy(() -> report("tried").writePart(directory, "one", List.of("one")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(
                        "Part one can't be written: %s is about the whole, and would be lost; remove it first",
                        page);
        assertThat(page).content().isEqualTo(whole);
        assertThat(directory.resolve("tried-one-1.svg")).doesNotExist();

        Files.delete(page);
        assertThat(Report.isWhole(directory, "tried")).isFalse();
        report("tried").writePart(directory, "one", List.of("one"));
        assertThat(Report.isWhole(directory, "tried")).isFalse();
    }

    @Test
    void writeFigures_report_hasEveryRepetition() throws IOException {
        report("tried").writeFigures(directory);

        assertThat(Files.readString(directory.resolve("tried.json")))
                .contains("\"circumstances\":{\"took\":\"3 s\"}")
                .contains("{\"goal\":\"small\",\"measured\":\"not\",\"reached\":false}")
                .contains(
                        "\"rows\":[[\"86 rows\",\"\",\"\"],[\"local | list\",1400.0,[3.0,1.0,2.0]],"
                                + "[\"lazy\",[5.0,4.0],null]]")
                .contains("\"lines\":{\"a\":{\"1.0\":5.0,\"2.0\":6.5}}");
    }

    @Test
    void row_tooFewCells_isRefused() {
        Outcome.Table table = new Outcome("tried", "A trial").table("Times", "|a|b");

        assertThatThrownBy(() -> table.row("c", 1))
                .hasMessage("Times: the row [c, 1] has not 3 cells");
    }

    @Test
    void describe_thisMachine_namesWhatFiguresDependOn() {
        assertThat(Machine.describe())
                .containsOnlyKeys("processor", "memory", "operating system", "JDK")
                .allSatisfy((_, value) -> assertThat(value).isNotBlank());
    }
}
