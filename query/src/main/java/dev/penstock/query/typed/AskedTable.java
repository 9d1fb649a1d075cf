package dev.penstock.query.typed;

import dev.penstock.query.Engine;
import java.util.stream.Stream;

/** A table whose engine is asked by plans. */
final class AskedTable<R> extends TypedTable<R> {
    AskedTable(Engine engine, Entity<R> entity) {
        super(engine, entity);
    }

    @Override
    public Stream<R> stream() {
        return RowRecorder.of(new Run(), Recording.of(binding()));
    }
}
