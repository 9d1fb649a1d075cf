package dev.penstock.bench.client;

import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/**
 * The figures of one group of a {@link Load}.
 *
 * @param completed complete answers within the window
 * @param failures how many requests failed, by kind, in the ramp as well
 * @param pending requests that were waiting for their answer, or receiving it, when the window ended
 * @param bytesPerSecond of bodies, within the window, without those of answers that failed
 * @param requestsPerMinute the same in answers: parts of answers at the window's two ends count as parts
 * @param meanBytes of a body
 * @param latency from the intended start to the last byte. Those pending count with the time that they had waited;
 *     where they matter, its figures are lower bounds.
 * @param firstByte from the intended start to the first byte
 * @param firstRow from the intended start to the first row
 * @param refusal from the intended start to the end of an answer that refuses and says when to ask again
 */
public record LoadFigures(
        long completed,
        Map<String, Long> failures,
        long pending,
        double bytesPerSecond,
        double requestsPerMinute,
        double meanBytes,
        Latency latency,
        Latency firstByte,
        Latency firstRow,
        Latency refusal)
        implements Serializable {
    /**
     * Times in milliseconds; all 0 where there was none.
     *
     * @param percentiles from the 0th to the 100th; empty where there was no time
     */
    public record Latency(double mean, List<Double> percentiles) implements Serializable {
        private static final int PERCENTILES = 100;

        static Latency of(Histogram nanos) {
            if (nanos.getTotalCount() == 0) {
                return new Latency(0, List.of());
            }
            List<Double> percentiles =
                    IntStream.rangeClosed(0, PERCENTILES)
                            .mapToObj(percentile -> nanos.getValueAtPercentile(percentile) / 1e6)
                            .toList();
            return new Latency(nanos.getMean() / 1e6, percentiles);
        }

        private double percentile(int percentile) {
            return percentiles.isEmpty() ? 0 : percentiles.get(percentile);
        }

        /** Returns the median. */
        public double p50() {
            return percentile(50);
        }

        /** Returns the 99th percentile. */
        public double p99() {
            return percentile(99);
        }

        /** Returns the longest time. */
        public double max() {
            return percentile(PERCENTILES);
        }
    }

    /** Returns how many requests failed. */
    public long failed() {
        return failures.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Returns whether so many were pending that latencies are lower bounds only. */
    public boolean latenciesAreLowerBounds() {
        return pending * 20 > completed + pending;
    }
}
