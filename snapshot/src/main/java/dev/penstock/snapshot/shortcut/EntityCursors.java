package dev.penstock.snapshot.shortcut;

import dev.penstock.query.typed.field.Entity;
import dev.penstock.query.typed.field.Field;
import dev.penstock.snapshot.index.IndexedColumn;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** A few cursors of the rows of a table, which are used again and again. Thread-safe. */
final class EntityCursors {
    /** As many are kept, by threads. */
    private static final int KEPT = 8;

    private final ShortcutColumns table;
    private final AtomicReferenceArray<@Nullable EntityCursor> kept =
            new AtomicReferenceArray<>(KEPT);

    EntityCursors(ShortcutColumns table) {
        this.table = table;
    }

    private static int slot() {
        return (int) Thread.currentThread().threadId() & (KEPT - 1);
    }

    /**
     * Returns a cursor for whoever uses the table and closes it, once; null where an entity has a field that the table
     * does not have.
     */
    @SuppressWarnings("ReferenceEquality") // a program has its entities once
    @Nullable EntityCursor take(Entity<?> entity) {
        EntityCursor cursor = kept.getAndSet(slot(), null);
        return cursor != null && cursor.entity() == entity ? cursor : made(entity);
    }

    /** Takes a cursor back, with which a use of the table ends. */
    void give(EntityCursor cursor) {
        kept.setRelease(slot(), cursor);
        table.release();
    }

    private @Nullable EntityCursor made(Entity<?> entity) {
        List<IndexedColumn> columns = new ArrayList<>();
        for (Field<?, ?> field : entity.fields()) {
            int place = table.place(field);
            if (place < 0) {
                return null;
            }
            columns.add(table.table().columns().get(place));
        }
        return new EntityCursor(entity, columns, this);
    }
}
