package dev.penstock.bench.service.call;

import java.io.Serializable;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

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
        TimeValue round = TimeValue.milliseconds(roundMilliseconds);
        RunResult run =
                new Runner(
                                new OptionsBuilder()
                                        .include(CallBenchmark.class.getName() + ".call")
                                        .param("contender", contender)
                                        .forks(0)
                                        .warmupIterations(rounds)
                                        .warmupTime(round)
                                        .measurementIterations(rounds)
                                        .measurementTime(round)
                                        .addProfiler(GCProfiler.class)
                                        .verbosity(VerboseMode.SILENT)
                                        .shouldFailOnError(true)
                                        .build())
                        .runSingle();
        Result<?> bytes = run.getSecondaryResults().get(BYTES);
        return new CallTimes(
                run.getPrimaryResult().getScore(), bytes == null ? Double.NaN : bytes.getScore());
    }
}
