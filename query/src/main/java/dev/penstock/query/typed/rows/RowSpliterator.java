package dev.penstock.query.typed.rows;

import dev.penstock.query.typed.field.RowReader;
import java.util.Arrays;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a cursor. It splits into others that read the same cursor in turn, or, where the rows have an order, into copies of the next
 * few rows.
 */
public final class RowSpliterator<T> implements Spliterator<T> {
    private final SharedCursor cursor;
    private final RowReader<T> reader;

    public RowSpliterator(SharedCursor cursor, RowReader<T> reader) {
        this.cursor = cursor;
        this.reader = reader;
    }

    @Override
    public boolean tryAdvance(Consumer<? super T> action) {
        T row;
        cursor.lock();
        try {
            if (!cursor.advance()) {
                return false;
            }
            row = reader.read(cursor.row());
        } finally {
            cursor.unlock();
        }
        action.accept(row);
        return true;
    }

    @Override
    public void forEachRemaining(Consumer<? super T> action) {
        if (cursor.isShared()) {
            while (tryAdvance(action)) {}
            return;
        }
        while (cursor.advance()) {
            action.accept(reader.read(cursor.row()));
        }
    }

    @Override
    public @Nullable Spliterator<T> trySplit() {
        if (!cursor.split()) {
            return null;
        }
        return cursor.isOrdered() ? batch() : new RowSpliterator<>(cursor, reader);
    }

    @SuppressWarnings("unchecked") // the array holds what the reader gave
    private @Nullable Spliterator<T> batch() {
        Object[] rows = new Object[SharedCursor.BATCH_ROWS];
        int count = 0;
        cursor.lock();
        try {
            while (count < rows.length && cursor.advance()) {
                rows[count++] = reader.read(cursor.row());
            }
        } finally {
            cursor.unlock();
        }
        return count == 0
                ? null
                : (Spliterator<T>) Spliterators.spliterator(Arrays.copyOf(rows, count), ORDERED);
    }

    @Override
    public long estimateSize() {
        return Long.MAX_VALUE;
    }

    @Override
    public int characteristics() {
        return cursor.isOrdered() ? ORDERED : 0;
    }
}
