package dev.penstock.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.bench.report.Checkout;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;

/** Runs of experiments at a tiny size: that each works, not what it measures. */
abstract class TinyExperiments {
    @TempDir Path out;
    @TempDir Path repository;

    final ByteArrayOutputStream terminal = new ByteArrayOutputStream();

    /** Runs an experiment that has to work. Returns its report. */
    final String measured(String name, String database) throws IOException {
        assertThat(run(name, "--database=" + database)).as(terminal.toString(UTF_8)).isZero();

        assertThat(out.resolve(name + ".json")).content().contains("\"tables\":[{\"title\":");
        String report = Files.readString(out.resolve(name + ".md"));
        assertThat(report)
                .startsWith("# ")
                .contains("| ---")
                .contains("`./penstock bench " + name)
                // What an experiment could not do, it says in what it measured.
                .doesNotContain("not a whole answer");
        assertThat(terminal.toString(UTF_8)).contains(report);
        return report;
    }

    final int run(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--heap=64m", "--repetitions=1", "--scale=0.002", "--out=" + out));
        return Bench.run(
                new PrintStream(terminal, true, UTF_8),
                new Checkout(repository),
                all.toArray(String[]::new));
    }
}
