package dev.penstock.query.typed;

import java.util.IntSummaryStatistics;

/** Ints of rows of a {@link NearTable} that were sorted by one field, and of a part of them. */
final class NearInts extends IntRecorder {
    private final Shortcuts shortcuts;
    private final IntField<?> field;
    private final FieldOrder.Key<?> key;
    private final long skip;
    private final long limit;

    NearInts(
            Shortcuts shortcuts,
            Run run,
            Recording<?> recording,
            IntField<?> field,
            FieldOrder.Key<?> key,
            long skip,
            long limit) {
        super(run, recording);
        this.shortcuts = shortcuts;
        this.field = field;
        this.key = key;
        this.skip = skip;
        this.limit = limit;
    }

    @Override
    public IntSummaryStatistics summaryStatistics() {
        link();
        boolean descending = key.descending();
        boolean nullsFirst = key.nullsFirst();
        IntSummaryStatistics statistics =
                shortcuts.statistics(field, key.field(), descending, nullsFirst, skip, limit);
        return statistics != null
                ? statistics
                : asked(
                        recording().table(),
                        key.field(),
                        descending,
                        nullsFirst,
                        skip,
                        limit,
                        field);
    }

    /** Asks by a plan, all of which is made anew: so what was recorded before needs not be kept for it. */
    private static <R> IntSummaryStatistics asked(
            TypedTable<?> table,
            Field<R, ?> by,
            boolean descending,
            boolean nullsFirst,
            long skip,
            long limit,
            IntField<?> field) {
        FieldOrder<R> order = FieldOrder.of(new FieldOrder.Key<>(by, descending, nullsFirst));
        Recording<?> rows = Recording.of(table).then(new Step.Sorted(order));
        rows = skip == 0 ? rows : rows.then(new Step.Skip(skip));
        rows = limit == Long.MAX_VALUE ? rows : rows.then(new Step.Limit(limit));
        Recording<?> values = rows.then(new Step.Project(field, Step.Shape.INT));
        return new IntRecorder(new Run(), values).summaryStatistics();
    }
}
