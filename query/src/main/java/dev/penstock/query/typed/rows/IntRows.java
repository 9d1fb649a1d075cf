package dev.penstock.query.typed.rows;

import dev.penstock.query.Cursor;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.IntConsumer;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** One int of each row of a feed, split as {@link Rows} are. */
public final class IntRows implements Spliterator.OfInt {
    private final Feed feed;
    private final ToIntFunction<Cursor> reader;

    public IntRows(Feed feed, ToIntFunction<Cursor> reader) {
        this.feed = feed;
        this.reader = reader;
    }

    @Override
    public boolean tryAdvance(IntConsumer action) {
        int cell;
        feed.lock();
        try {
            if (!feed.advance()) {
                return false;
            }
            cell = reader.applyAsInt(feed.row());
        } finally {
            feed.unlock();
        }
        action.accept(cell);
        return true;
    }

    @Override
    public void forEachRemaining(IntConsumer action) {
        if (feed.isShared()) {
            while (tryAdvance(action)) {}
            return;
        }
        while (feed.advance()) {
            action.accept(reader.applyAsInt(feed.row()));
        }
    }

    @Override
    public Spliterator.@Nullable OfInt trySplit() {
        if (!feed.split()) {
            return null;
        }
        return feed.isOrdered() ? batch() : new IntRows(feed, reader);
    }

    private Spliterator.@Nullable OfInt batch() {
        int[] cells = new int[Feed.BATCH_ROWS];
        int count = 0;
        feed.lock();
        try {
            while (count < cells.length && feed.advance()) {
                cells[count++] = reader.applyAsInt(feed.row());
            }
        } finally {
            feed.unlock();
        }
        return count == 0 ? null : Spliterators.spliterator(cells, 0, count, ORDERED);
    }

    @Override
    public long estimateSize() {
        return Long.MAX_VALUE;
    }

    @Override
    public int characteristics() {
        return feed.isOrdered() ? ORDERED : 0;
    }
}
