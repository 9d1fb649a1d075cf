package dev.penstock.query.typed;

import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Rows of a {@link NearTable} sorted by one field, and a part of them. */
final class NearSorted<T> extends RowRecorder<T> {
    private final Shortcuts shortcuts;
    private final FieldOrder.Key<?> key;
    private final long skip;
    private final long limit;

    NearSorted(
            Shortcuts shortcuts,
            Run run,
            Recording<?> recording,
            FieldOrder.Key<?> key,
            long skip,
            long limit) {
        super(run, recording);
        this.shortcuts = shortcuts;
        this.key = key;
        this.skip = skip;
        this.limit = limit;
    }

    @Override
    public Stream<T> skip(long rows) {
        if (skip > 0 || limit < Long.MAX_VALUE) {
            return super.skip(rows);
        }
        Step.Skip step = new Step.Skip(notNegative("skip", rows));
        link();
        return new NearSorted<>(shortcuts, run, recording().then(step), key, rows, limit);
    }

    @Override
    public Stream<T> limit(long rows) {
        if (limit < Long.MAX_VALUE) {
            return super.limit(rows);
        }
        Step.Limit step = new Step.Limit(notNegative("limit", rows));
        link();
        return new NearSorted<>(shortcuts, run, recording().then(step), key, skip, rows);
    }

    @Override
    public IntStream mapToInt(ToIntFunction<? super T> mapper) {
        if (!(mapper instanceof IntField<?> field) || field.isNullable()) {
            return super.mapToInt(mapper);
        }
        recording().table().binding().check(field);
        link();
        Recording<?> values = recording().then(new Step.Project(field, Step.Shape.INT));
        return new NearInts(shortcuts, run, values, field, key, skip, limit);
    }
}
