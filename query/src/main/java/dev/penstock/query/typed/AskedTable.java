package dev.penstock.query.typed;

import dev.penstock.query.Engine;
import dev.penstock.query.typed.field.Entity;
import dev.penstock.query.typed.pushdown.Recording;
import dev.penstock.query.typed.stream.RowRecorder;
import dev.penstock.query.typed.stream.Run;
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
