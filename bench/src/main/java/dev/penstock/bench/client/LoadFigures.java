package dev.penstock.bench.client;

import static java.util.stream.Collectors.joining;

import dev.penstock.bench.child.Answer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a group of a {@link Load} saw.
 *
 * @param completed complete answers within the window
 * @param failures by kind, how many requests failed, in the ramp as well
 * @param pending requests that were waiting for their answer, or receiving it, when the window ended
 * @param bytesPerSecond of bodies, within the window, without those of answers that failed
 * @param requestsPerMinute the same in answers: parts of answers at the window's two ends count as parts
 * @param meanMilliseconds latency, from the intended start to the last byte. Those pending count with the time that they
 *     had waited; where they matter, this and the percentiles are lower bounds.
 * @param quantiles latencies in milliseconds, from the least to the greatest, of as many equal parts of the answers as {@link LoadGroup#PARTS} says; none
 *     where there was no answer
 */
public record LoadFigures(
        long completed,
        Map<String, Long> failures,
        long pending,
        double bytesPerSecond,
        double requestsPerMinute,
        double meanMilliseconds,
        double p50Milliseconds,
        double p99Milliseconds,
        double maxMilliseconds,
        double firstByteMilliseconds,
        double firstByteP99Milliseconds,
        double firstRowMilliseconds,
        double firstRowP99Milliseconds,
        double meanBytes,
        List<Double> quantiles) {
    public LoadFigures {
        quantiles = List.copyOf(quantiles);
    }

    public long failed() {
        return failures.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Whether so many were pending that latencies are lower bounds only. */
    public boolean latenciesAreLowerBounds() {
        return pending * 20 > completed + pending;
    }

    public Answer encode() {
        Map<String, String> values = new LinkedHashMap<>();
        values.put("completed", Long.toString(completed));
        values.put("pending", Long.toString(pending));
        values.put("bytesPerSecond", Double.toString(bytesPerSecond));
        values.put("requestsPerMinute", Double.toString(requestsPerMinute));
        values.put("mean", Double.toString(meanMilliseconds));
        values.put("p50", Double.toString(p50Milliseconds));
        values.put("p99", Double.toString(p99Milliseconds));
        values.put("max", Double.toString(maxMilliseconds));
        values.put("firstByte", Double.toString(firstByteMilliseconds));
        values.put("firstByteP99", Double.toString(firstByteP99Milliseconds));
        values.put("firstRow", Double.toString(firstRowMilliseconds));
        values.put("firstRowP99", Double.toString(firstRowP99Milliseconds));
        values.put("meanBytes", Double.toString(meanBytes));
        values.put(
                "quantiles",
                quantiles.stream().map(value -> Double.toString(value)).collect(joining(",")));
        Map<String, String> kinds = new LinkedHashMap<>();
        failures.forEach((kind, count) -> kinds.put(kind.replace(' ', '_'), count.toString()));
        values.put("failures", new Answer(kinds).line());
        return new Answer(values);
    }

    public static LoadFigures decode(Answer from) {
        Map<String, Long> failures = new LinkedHashMap<>();
        Answer.parse(from.text("failures"))
                .values()
                .forEach((kind, count) ->
                        failures.put(kind.replace('_', ' '), Long.parseLong(count)));
        return new LoadFigures(
                from.whole("completed"),
                failures,
                from.whole("pending"),
                from.number("bytesPerSecond"),
                from.number("requestsPerMinute"),
                from.number("mean"),
                from.number("p50"),
                from.number("p99"),
                from.number("max"),
                from.number("firstByte"),
                from.number("firstByteP99"),
                from.number("firstRow"),
                from.number("firstRowP99"),
                from.number("meanBytes"),
                from.text("quantiles").isEmpty()
                        ? List.of()
                        : Arrays.stream(from.text("quantiles").split(",", -1))
                                .map(Double::valueOf)
                                .toList());
    }
}
