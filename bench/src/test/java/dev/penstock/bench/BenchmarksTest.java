package dev.penstock.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Every JMH benchmark for a moment: that it runs, not what it measures. */
class BenchmarksTest {
    @Test
    void run_aMoment_allGiveAResult() throws RunnerException {
        Collection<RunResult> results =
                new Runner(
                                new OptionsBuilder()
                                        .include("dev.penstock.bench")
                                        .param("films", "1000")
                                        .param("polluted", "false")
                                        .forks(0)
                                        .warmupIterations(0)
                                        .measurementIterations(1)
                                        .measurementTime(TimeValue.milliseconds(20))
                                        .verbosity(VerboseMode.SILENT)
                                        .shouldFailOnError(true)
                                        .build())
                        .run();

        assertThat(results).hasSize(4 + 2 + 4 + 16 + 1 + 2 + 13);
        assertThat(results)
                .allSatisfy(
                        result -> assertThat(result.getPrimaryResult().getScore()).isPositive());
    }
}
