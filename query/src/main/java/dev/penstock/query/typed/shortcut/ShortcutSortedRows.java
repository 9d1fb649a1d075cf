package dev.penstock.query.typed.shortcut;

import dev.penstock.query.typed.field.FieldOrder;
import dev.penstock.query.typed.field.IntField;
import dev.penstock.query.typed.mapping.EntityMapping;
import dev.penstock.query.typed.pushdown.Recording;
import dev.penstock.query.typed.pushdown.StreamOperation;
import dev.penstock.query.typed.stream.IntRecorder;
import dev.penstock.query.typed.stream.RowRecorder;
import dev.penstock.query.typed.stream.StreamContext;
import java.util.IntSummaryStatistics;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A stream of the rows of a table that has {@link Shortcuts}, sorted by one field, perhaps after a skip and up to a
 * limit.
 */
final class ShortcutSortedRows<T> extends RowRecorder<T> {
    private final EntityMapping<T> table;
    private final Shortcuts shortcuts;
    private final FieldOrder.Key<T> key;
    private final long skip;
    private final long limit;

    /**
     * @param limit the most long where there is none
     */
    ShortcutSortedRows(
            EntityMapping<T> table,
            Shortcuts shortcuts,
            StreamContext context,
            FieldOrder.Key<T> key,
            long skip,
            long limit) {
        super(context);
        this.table = table;
        this.shortcuts = shortcuts;
        this.key = key;
        this.skip = skip;
        this.limit = limit;
    }

    @Override
    protected Recording<?> recorded() {
        return recorded(table, key, skip, limit);
    }

    private static <R> Recording<R> recorded(
            EntityMapping<R> table, FieldOrder.Key<R> key, long skip, long limit) {
        Recording<R> rows =
                Recording.of(table).then(new StreamOperation.Sorted(FieldOrder.of(key)));
        rows = skip == 0 ? rows : rows.then(new StreamOperation.Skip(skip));
        return limit == Long.MAX_VALUE ? rows : rows.then(new StreamOperation.Limit(limit));
    }

    @Override
    public Stream<T> skip(long rows) {
        if (skip > 0 || limit < Long.MAX_VALUE) {
            return super.skip(rows);
        }
        notNegative("skip", rows);
        link();
        return new ShortcutSortedRows<>(table, shortcuts, context, key, rows, limit);
    }

    @Override
    public Stream<T> limit(long rows) {
        if (limit < Long.MAX_VALUE) {
            return super.limit(rows);
        }
        notNegative("limit", rows);
        link();
        return new ShortcutSortedRows<>(table, shortcuts, context, key, skip, rows);
    }

    @Override
    public IntStream mapToInt(ToIntFunction<? super T> mapper) {
        if (!(mapper instanceof IntField<?> field) || field.isNullable()) {
            return super.mapToInt(mapper);
        }
        table.check(field);
        link();
        return new ShortcutInts<>(context, this, field);
    }

    /** Statistics of a field of these rows; null where only a plan can tell. */
    @Nullable IntSummaryStatistics statistics(IntField<?> field) {
        return shortcuts.statistics(field, key.field(), key.descending(), skip, limit);
    }

    /** Returns the same by a plan. */
    IntSummaryStatistics askedStatistics(IntField<?> field) {
        return asked(table, key, skip, limit, field, context.isParallel());
    }

    /** Asks by a stream that is made again: so this one need not be kept for it. */
    private static <R> IntSummaryStatistics asked(
            EntityMapping<R> table,
            FieldOrder.Key<R> key,
            long skip,
            long limit,
            IntField<?> field,
            boolean parallel) {
        Recording<R> numbers =
                recorded(table, key, skip, limit)
                        .then(new StreamOperation.Project(field, StreamOperation.Shape.INT));
        return IntRecorder.of(StreamContext.of(parallel), numbers).summaryStatistics();
    }
}
