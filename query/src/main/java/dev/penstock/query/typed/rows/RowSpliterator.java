package dev.penstock.query.typed.rows;

import dev.penstock.query.typed.field.RowReader;
import java.util.Arrays;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A spliterator of objects that are made of a cursor's rows.
 *
 * @param <T> the object made of a row
 */
public final class RowSpliterator<T> extends CursorSpliterator<T> {
    private final RowReader<T> reader;

    public RowSpliterator(SharedCursor cursor, RowReader<T> reader) {
        super(cursor);
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
}
