package dev.penstock.query.typed.field;

import dev.penstock.query.Cursor;

/**
 * A reader of entities from the rows of a cursor. The cursor's columns are those of the entity's fields, in their
 * order.
 *
 * @param <R> the entity
 */
@FunctionalInterface
public interface RowReader<R> {
    /** Returns the row that the cursor is on as an entity, which keeps nothing of the cursor. */
    R read(Cursor row);
}
