package dev.penstock.query.typed.field;

import dev.penstock.query.Cursor;

/**
 * What makes an entity of the row that a cursor is on. The cursor's columns are those of the entity's fields, in their order.
 *
 * @param <R> the entity
 */
@FunctionalInterface
public interface RowReader<R> {
    /** The row as an entity, which keeps nothing of the cursor. */
    R read(Cursor row);
}
