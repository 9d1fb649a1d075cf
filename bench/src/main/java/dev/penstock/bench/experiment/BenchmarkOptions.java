package dev.penstock.bench.experiment;

import java.time.Duration;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** The settings by which experiments have JMH run a benchmark: silently, and failing when it fails. */
public final class BenchmarkOptions {
    private BenchmarkOptions() {}

    /**
     * Returns the settings, to which parameters and profilers can be added.
     *
     * @param benchmark the class, with one benchmark method
     * @param forks how many JVMs run it, one after the other; 0 for this one
     * @param rounds how many rounds warm up, and how many are measured
     * @param round the duration of each
     */
    public static ChainedOptionsBuilder of(
            Class<?> benchmark, int forks, int rounds, Duration round) {
        TimeValue time = TimeValue.milliseconds(round.toMillis());
        return new OptionsBuilder()
                .include(benchmark.getName() + "\\.")
                .forks(forks)
                .warmupIterations(rounds)
                .warmupTime(time)
                .measurementIterations(rounds)
                .measurementTime(time)
                .verbosity(VerboseMode.SILENT)
                .shouldFailOnError(true);
    }
}
