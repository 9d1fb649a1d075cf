package dev.penstock.query.typed.rows;

import dev.penstock.query.Cursor;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.LongConsumer;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** One long of each row of a cursor, split as a {@link RowSpliterator} is. */
public final class LongRowSpliterator implements Spliterator.OfLong {
    private final SharedCursor cursor;
    private final ToLongFunction<Cursor> reader;

    public LongRowSpliterator(SharedCursor cursor, ToLongFunction<Cursor> reader) {
        this.cursor = cursor;
        this.reader = reader;
    }

    @Override
    public boolean tryAdvance(LongConsumer action) {
        long cell;
        cursor.lock();
        try {
            if (!cursor.advance()) {
                return false;
            }
            cell = reader.applyAsLong(cursor.row());
        } finally {
            cursor.unlock();
        }
        action.accept(cell);
        return true;
    }

    @Override
    public void forEachRemaining(LongConsumer action) {
        if (cursor.isShared()) {
            while (tryAdvance(action)) {}
            return;
        }
        while (cursor.advance()) {
            action.accept(reader.applyAsLong(cursor.row()));
        }
    }

    @Override
    public Spliterator.@Nullable OfLong trySplit() {
        if (!cursor.split()) {
            return null;
        }
        return cursor.isOrdered() ? batch() : new LongRowSpliterator(cursor, reader);
    }

    private Spliterator.@Nullable OfLong batch() {
        long[] cells = new long[SharedCursor.BATCH_ROWS];
        int count = 0;
        cursor.lock();
        try {
            while (count < cells.length && cursor.advance()) {
                cells[count++] = reader.applyAsLong(cursor.row());
            }
        } finally {
            cursor.unlock();
        }
        return count == 0 ? null : Spliterators.spliterator(cells, 0, count, ORDERED);
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
