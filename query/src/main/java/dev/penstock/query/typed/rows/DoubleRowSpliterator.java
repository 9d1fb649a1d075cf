package dev.penstock.query.typed.rows;

import dev.penstock.query.Cursor;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.DoubleConsumer;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** One double of each row of a cursor, split as a {@link RowSpliterator} is. */
public final class DoubleRowSpliterator implements Spliterator.OfDouble {
    private final SharedCursor cursor;
    private final ToDoubleFunction<Cursor> reader;

    public DoubleRowSpliterator(SharedCursor cursor, ToDoubleFunction<Cursor> reader) {
        this.cursor = cursor;
        this.reader = reader;
    }

    @Override
    public boolean tryAdvance(DoubleConsumer action) {
        double cell;
        cursor.lock();
        try {
            if (!cursor.advance()) {
                return false;
            }
            cell = reader.applyAsDouble(cursor.row());
        } finally {
            cursor.unlock();
        }
        action.accept(cell);
        return true;
    }

    @Override
    public void forEachRemaining(DoubleConsumer action) {
        if (cursor.isShared()) {
            while (tryAdvance(action)) {}
            return;
        }
        while (cursor.advance()) {
            action.accept(reader.applyAsDouble(cursor.row()));
        }
    }

    @Override
    public Spliterator.@Nullable OfDouble trySplit() {
        if (!cursor.split()) {
            return null;
        }
        return cursor.isOrdered() ? batch() : new DoubleRowSpliterator(cursor, reader);
    }

    private Spliterator.@Nullable OfDouble batch() {
        double[] cells = new double[SharedCursor.BATCH_ROWS];
        int count = 0;
        cursor.lock();
        try {
            while (count < cells.length && cursor.advance()) {
                cells[count++] = reader.applyAsDouble(cursor.row());
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
