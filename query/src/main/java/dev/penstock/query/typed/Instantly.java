package dev.penstock.query.typed;

import dev.penstock.query.typed.Step.Shape;
import java.util.IntSummaryStatistics;
import org.jspecify.annotations.Nullable;

/**
 * Recognises the recordings for which an engine may have a {@link Shortcuts}. The recordings are looked at and not kept, so that the compiler need
 * not make them at all.
 */
final class Instantly {
    private Instantly() {}

    /** How many elements there are; {@link Shortcuts#UNKNOWN} where a plan is to be asked. */
    static long count(Recording<?> recording) {
        Shortcuts shortcuts = recording.table().shortcuts();
        if (shortcuts == null
                || !(recording.step() instanceof Step.Filter(Condition<?> condition))
                || !isAll(recording.before())) {
            return Shortcuts.UNKNOWN;
        }
        Simple<?> simple = condition.simple();
        if (simple instanceof Simple.Compared<?, ?> compared) {
            return shortcuts.count(compared.field(), compared.comparator(), compared.value());
        }
        return simple instanceof Simple.Starts<?> starts
                ? shortcuts.countStarting(starts.field(), starts.text())
                : Shortcuts.UNKNOWN;
    }

    /** The statistics of sorted, skipped and limited rows; null where a plan is to be asked. */
    static @Nullable IntSummaryStatistics statistics(Recording<?> recording) {
        Shortcuts shortcuts = recording.table().shortcuts();
        if (shortcuts == null
                || !(recording.step() instanceof Step.Project(IntField<?> of, Shape _))
                || of.isNullable()) {
            return null;
        }
        Recording<?> rows = recording.before();
        long limit = Long.MAX_VALUE;
        if (rows != null && rows.step() instanceof Step.Limit(long first)) {
            limit = first;
            rows = rows.before();
        }
        long skip = 0;
        if (rows != null && rows.step() instanceof Step.Skip(long first)) {
            skip = first;
            rows = rows.before();
        }
        if (rows == null
                || !(rows.step() instanceof Step.Sorted(FieldOrder<?> order))
                || !isAll(rows.before())) {
            return null;
        }
        FieldOrder.Key<?> key = order.only();
        return key == null
                ? null
                : shortcuts.statistics(
                        of, key.field(), key.descending(), key.nullsFirst(), skip, limit);
    }

    private static boolean isAll(@Nullable Recording<?> recording) {
        return recording != null && recording.before() == null;
    }
}
