package dev.penstock.bench.service.call;

import dev.penstock.bench.experiment.BenchmarkOptions;
import java.io.Serializable;
import java.time.Duration;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;

/**
 * The cost of a call as JMH measured it.
 *
 * @param nanos of a call
 * @param bytes that a call allocates
 */
record CallTimes(double nanos, double bytes) implements Serializable {
    private static final String BYTES = "gc.alloc.rate.norm";

    /** Runs {@link CallBenchmark} in this JVM, which is to run nothing else. */
    static CallTimes measure(String contender, int rounds, long roundMilliseconds)
            throws RunnerException {
        RunResult run =
                new Runner(
                                BenchmarkOptions.of(
                                                CallBenchmark.class,
                                                0,
                                                rounds,
                                                Duration.ofMillis(roundMilliseconds))
                                        .param("contender", contender)
                                        .addProfiler(GCProfiler.class)
                                        .build())
                        .runSingle();
        Result<?> bytes = run.getSecondaryResults().get(BYTES);
        return new CallTimes(
                run.getPrimaryResult().getScore(), bytes == null ? Double.NaN : bytes.getScore());
    }
}
