package dev.penstock.query.typed.rows;

import dev.penstock.query.Cursor;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.IntConsumer;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** A spliterator of ints that are read from a cursor's rows. */
public final class IntRowSpliterator extends CursorSpliterator<Integer>
        implements Spliterator.OfInt {
    private final ToIntFunction<Cursor> reader;

    public IntRowSpliterator(SharedCursor cursor, ToIntFunction<Cursor> reader) {
        super(cursor);
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
        var count = 0;
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
}
