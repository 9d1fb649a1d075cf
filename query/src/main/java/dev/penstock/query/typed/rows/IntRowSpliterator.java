package dev.penstock.query.typed.rows;

import dev.penstock.query.Cursor;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.IntConsumer;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** One int of each row of a cursor, split as a {@link RowSpliterator} is. */
public final class IntRowSpliterator implements Spliterator.OfInt {
    private final SharedCursor cursor;
    private final ToIntFunction<Cursor> reader;

    public IntRowSpliterator(SharedCursor cursor, ToIntFunction<Cursor> reader) {
        this.cursor = cursor;
        this.reader = reader;
    }

    @Override
    public boolean tryAdvance(IntConsumer action) {
        int cell;
        cursor.lock();
        try {
            if (!cursor.advance()) {
                return false;
            }
            cell = reader.applyAsInt(cursor.row());
        } finally {
            cursor.unlock();
        }
        action.accept(cell);
        return true;
    }

    @Override
    public void forEachRemaining(IntConsumer action) {
        if (cursor.isShared()) {
            while (tryAdvance(action)) {}
            return;
        }
        while (cursor.advance()) {
            action.accept(reader.applyAsInt(cursor.row()));
        }
    }

    @Override
    public Spliterator.@Nullable OfInt trySplit() {
        if (!cursor.split()) {
            return null;
        }
        return cursor.isOrdered() ? batch() : new IntRowSpliterator(cursor, reader);
    }

    private Spliterator.@Nullable OfInt batch() {
        int[] cells = new int[SharedCursor.BATCH_ROWS];
        int count = 0;
        cursor.lock();
        try {
            while (count < cells.length && cursor.advance()) {
                cells[count++] = reader.applyAsInt(cursor.row());
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
