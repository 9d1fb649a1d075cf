package dev.penstock.query.typed.rows;

import java.util.Spliterator;

/**
 * A spliterator of the rows of a cursor. It splits into others that read the same cursor in turn, or, where the rows
 * have an order, into copies of the next few rows.
 *
 * @param <T> what is made of a row
 */
abstract class CursorSpliterator<T> implements Spliterator<T> {
    final SharedCursor cursor;

    CursorSpliterator(SharedCursor cursor) {
        this.cursor = cursor;
    }

    @Override
    public final long estimateSize() {
        return Long.MAX_VALUE;
    }

    @Override
    public final int characteristics() {
        return cursor.isOrdered() ? ORDERED : 0;
    }
}
