package dev.penstock.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.bench.experiment.Experiment;
import dev.penstock.bench.report.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The experiments with rows over HTTP at a tiny size, and the command's texts. */
class ExperimentsIT extends TinyExperiments {
    @ParameterizedTest
    @CsvSource({
        "presidents, postgresql",
        "streaming-cost, mariadb",
        "export, postgresql",
        "memory, h2",
        "slow-clients, mariadb",
        "first-row, h2",
        "cancel, postgresql"
    })
    void run_tiny_measuresAndReports(String name, String database) throws IOException {
        String report = measured(name, database);
        if (name.equals("presidents")) {
            assertThat(report).contains("no failure in 4 cells");
        }
    }

    private void git(String... arguments) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of("git", "-c", "user.name=a", "-c", "user.email=a@b.c"));
        command.addAll(List.of(arguments));
        Process git =
                new ProcessBuilder(command)
                        .directory(repository.toFile())
                        .redirectErrorStream(true)
                        .start();
        String said = new String(git.getInputStream().readAllBytes(), UTF_8);
        assertThat(git.waitFor()).as(said).isZero();
    }

    @Test
    void run_publish_writesTheReportBesideTheOthersAndNamesTheCommit() throws Exception {
        git("init", "-q");
        Path source = Files.writeString(repository.resolve("source"), "1");
        git("add", "source");
        git("commit", "-q", "-m", "first");
        Path results = repository.resolve("docs/results");

        assertThat(run("first-row", "--database=h2", "--publish"))
                .as(terminal.toString(UTF_8))
                .isZero();
        assertThat(results.resolve("first-row.md"))
                .content()
                .containsPattern("commit +\\| +[0-9a-f]{7,} \\(\\d{4}-\\d\\d-\\d\\d\\)")
                .contains("--publish", "processor", "JDK", "first-row-1.svg")
                .doesNotContain(repository.toString());
        assertThat(results.resolve("README.md")).content().contains("(first-row.md)");
        assertThat(results.resolve("first-row-1.svg")).isNotEmptyFile();

        // What was published before is in nobody's way, and a change of a source is.
        assertThat(new Checkout(repository).uncommitted()).isEmpty();
        Files.writeString(source, "2");
        terminal.reset();
        assertThat(run("first-row", "--publish")).isEqualTo(2);
        assertThat(terminal.toString(UTF_8))
                .isEqualTo(
                        "penstock bench: --publish names the commit that was measured, and the working tree has"
                                + " uncommitted changes in source: commit them, or leave --publish out\n");
    }

    @Test
    void run_publishPartOverAReportOfTheWhole_isRefusedBeforeItMeasures() throws Exception {
        git("init", "-q");
        git("commit", "-q", "--allow-empty", "-m", "first");
        Path results = Files.createDirectories(repository.resolve("docs/results"));
        Path whole = Files.writeString(results.resolve("transfer.md"), "# Transfer\n");

        assertThat(run("transfer", "--part=cells,many", "--publish")).isEqualTo(2);
        assertThat(terminal.toString(UTF_8))
                .isEqualTo(
                        "penstock bench: --part would leave only cells, many of the published report of transfer,"
                                + " which is about the whole: publish it without --part, or remove transfer.md"
                                + " first\n");
        assertThat(whole).hasContent("# Transfer\n");
    }

    @Test
    void run_unknownName_saysWhatThereIs() {
        assertThat(run("nothing")).isEqualTo(2);
        assertThat(terminal.toString(UTF_8))
                .startsWith(
                        "penstock bench: there is no experiment \"nothing\"; there are presidents,");
    }

    @Test
    void run_unknownPart_saysWhatThereIs() {
        assertThat(run("transfer", "--part=nothing")).isEqualTo(2);
        assertThat(terminal.toString(UTF_8))
                .isEqualTo(
                        "penstock bench: transfer has no part \"nothing\"; there are cells, many, uploads,"
                                + " downloads, cold, storm, huge\n");

        terminal.reset();
        assertThat(run("memory", "--part=cells")).isEqualTo(2);
        assertThat(terminal.toString(UTF_8))
                .isEqualTo(
                        "penstock bench: memory has no part \"cells\"; it has no parts: leave --part out\n");
    }

    @Test
    void run_oldName_saysTheNewOne() {
        assertThat(run("article-cost")).isEqualTo(2);
        assertThat(terminal.toString(UTF_8))
                .isEqualTo(
                        "penstock bench: there is no experiment \"article-cost\"; it is called streaming-cost now\n");
    }

    @Test
    void run_noName_listsAll() {
        assertThat(run()).isZero();
        for (Experiment experiment : Bench.EXPERIMENTS) {
            assertThat(terminal.toString(UTF_8)).contains(experiment.name());
        }
    }
}
