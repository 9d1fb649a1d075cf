package dev.penstock.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.bench.experiment.Experiment;
import dev.penstock.bench.experiment.Interleaved;
import dev.penstock.bench.pages.PresidentsExperiment;
import dev.penstock.bench.report.Outcome;
import dev.penstock.bench.report.OutcomeFile;
import dev.penstock.bench.report.Report;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each experiment at a tiny size: that it works, not what it measures. */
class ExperimentsIT {
    @TempDir Path out;

    @ParameterizedTest
    @CsvSource({
        "presidents, postgresql",
        "article-cost, mariadb",
        "export, postgresql",
        "memory, h2",
        "slow-clients, mariadb",
        "first-row, h2",
        "suspend, h2",
        "cancel, postgresql",
        "films-sql, postgresql",
        "films, mariadb"
    })
    void run_tiny_measuresAndReports(String name, String database) throws IOException {
        ByteArrayOutputStream terminal = new ByteArrayOutputStream();
        int exit =
                Bench.run(
                        new PrintStream(terminal, true, UTF_8),
                        name,
                        "--database=" + database,
                        "--heap=64m",
                        "--repetitions=1",
                        "--scale=0.002",
                        "--out=" + out);

        assertThat(exit).as(terminal.toString(UTF_8)).isZero();
        Outcome outcome = OutcomeFile.read(out.resolve(name + ".json")).outcome();
        assertThat(outcome.measurements()).isNotEmpty();
        assertThat(outcome.parts()).hasAtLeastOneElementOfType(Outcome.Table.class);
        assertThat(Files.readString(out.resolve(Report.NAME)))
                .contains("<section id='" + name + "'>");
        // What an experiment could not do, it says in what it measured.
        assertThat(outcome.findings())
                .extracting(Outcome.Finding::measured)
                .noneMatch(measured -> measured.contains("not a whole answer"));
        if (name.equals("presidents")) {
            assertThat(outcome.findings().getFirst().measured()).isEqualTo("no failure in 4 cells");
        }
    }

    @Test
    void run_unknownName_saysWhatThereIs() {
        ByteArrayOutputStream terminal = new ByteArrayOutputStream();
        int exit = Bench.run(new PrintStream(terminal, true, UTF_8), "nothing");

        assertThat(exit).isEqualTo(2);
        assertThat(terminal.toString(UTF_8))
                .startsWith(
                        "penstock bench: there is no experiment \"nothing\"; there are presidents,");
    }

    @Test
    void run_noName_listsAll() {
        ByteArrayOutputStream terminal = new ByteArrayOutputStream();

        assertThat(Bench.run(new PrintStream(terminal, true, UTF_8))).isZero();
        for (Experiment experiment : Bench.EXPERIMENTS) {
            assertThat(terminal.toString(UTF_8)).contains(experiment.name());
        }
    }

    @Test
    void points_default_areTheCornersOfTheGrid() {
        assertThat(PresidentsExperiment.points(false, 1))
                .isEqualTo(
                        List.of(
                                new PresidentsExperiment.Point(86, 4),
                                new PresidentsExperiment.Point(86, 1024),
                                new PresidentsExperiment.Point(989, 4),
                                new PresidentsExperiment.Point(989, 1024)));
        assertThat(PresidentsExperiment.points(true, 1)).hasSize(30);
    }

    @Test
    void order_repetitions_eachBeginsWithAnother() {
        assertThat(Interleaved.order(List.of("a", "b", "c"), 4)).containsExactly("b", "c", "a");
    }
}
