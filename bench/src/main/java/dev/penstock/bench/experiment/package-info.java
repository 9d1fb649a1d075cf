/**
 * What an experiment is, and what it is given to run with.
 *
 * <p>To add one: extend {@link dev.penstock.bench.experiment.Experiment} in a package of its own, or in the one whose
 * data it shares, and name it in {@code Bench}. It gets a {@link dev.penstock.bench.experiment.Trial}, whose {@code
 * scaled} makes it small enough for a test, and whose {@code interleave} measures contenders in turns: figures of the
 * same repetition share what else the machine did at the time, and only ratios within a repetition are compared. The
 * options that it runs with are {@link dev.penstock.bench.experiment.Settings}.
 *
 * <p>JMH benchmarks extend {@link dev.penstock.bench.experiment.NanosecondBenchmark}, and stand beside the experiments
 * that they look into.
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.bench.experiment;
