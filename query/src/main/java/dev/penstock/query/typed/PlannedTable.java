package dev.penstock.query.typed;

import dev.penstock.query.Engine;
import dev.penstock.query.typed.field.Entity;
import dev.penstock.query.typed.pushdown.Recording;
import dev.penstock.query.typed.stream.RowRecorder;
import dev.penstock.query.typed.stream.StreamContext;
import java.util.stream.Stream;

/** A table whose streams become plans for its engine. */
final class PlannedTable<R> extends TypedTable<R> {
    PlannedTable(Engine engine, Entity<R> entity) {
        super(engine, entity, false);
    }

    @Override
    public Stream<R> stream() {
        return RowRecorder.of(new StreamContext(), Recording.of(mapping()));
    }
}
