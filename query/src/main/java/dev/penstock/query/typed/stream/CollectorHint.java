package dev.penstock.query.typed.stream;

import java.util.DoubleSummaryStatistics;
import java.util.IntSummaryStatistics;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A piece of advice on what would run as SQL in place of a collector of the JDK. Such a collector does not tell what it
 * does; the type of its container is a hint.
 */
final class CollectorHint {
    private CollectorHint() {}

    /** Returns the advice; null where there is none to give. */
    static @Nullable String of(Collector<?, ?, ?> collector) {
        if (!collector.getClass().getName().startsWith(Collectors.class.getName())) {
            return null;
        }
        Object container = collector.supplier().get();
        return switch (container) {
            case Map<?, ?> _ -> hint("groupingBy", "Aggregates.groupingBy(field, count())");
            case long[] sums when sums.length == 1 ->
                    hint("counting and summing", "Aggregates.count() or Aggregates.sum(field)");
            case int[] _ -> hint("summing", "Aggregates.sum(field)");
            case long[] _ -> hint("averaging", "Aggregates.average(field)");
            case double[] _ ->
                    hint(
                            "summing and averaging",
                            "Aggregates.sum(field) or Aggregates.average(field)");
            case IntSummaryStatistics _, LongSummaryStatistics _, DoubleSummaryStatistics _ ->
                    hint("summarizing", "mapToInt(field).summaryStatistics(), or its like,");
            case null, default -> null;
        };
    }

    private static String hint(String collector, String instead) {
        return "Collectors' %s runs in the JVM, on every row; of fields, %s would run as SQL"
                .formatted(collector, instead);
    }
}
