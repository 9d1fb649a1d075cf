package dev.penstock.query.typed.rows;

import dev.penstock.query.Cursor;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.LongConsumer;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** One long of each row of a feed, split as {@link Rows} are. */
public final class LongRows implements Spliterator.OfLong {
    private final Feed feed;
    private final ToLongFunction<Cursor> reader;

    public LongRows(Feed feed, ToLongFunction<Cursor> reader) {
        this.feed = feed;
        this.reader = reader;
    }

    @Override
    public boolean tryAdvance(LongConsumer action) {
        long cell;
        feed.lock();
        try {
            if (!feed.advance()) {
                return false;
            }
            cell = reader.applyAsLong(feed.row());
        } finally {
            feed.unlock();
        }
        action.accept(cell);
        return true;
    }

    @Override
    public void forEachRemaining(LongConsumer action) {
        if (feed.isShared()) {
            while (tryAdvance(action)) {}
            return;
        }
        while (feed.advance()) {
            action.accept(reader.applyAsLong(feed.row()));
        }
    }

    @Override
    public Spliterator.@Nullable OfLong trySplit() {
        if (!feed.split()) {
            return null;
        }
        return feed.isOrdered() ? batch() : new LongRows(feed, reader);
    }

    private Spliterator.@Nullable OfLong batch() {
        long[] cells = new long[Feed.BATCH_ROWS];
        int count = 0;
        feed.lock();
        try {
            while (count < cells.length && feed.advance()) {
                cells[count++] = reader.applyAsLong(feed.row());
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
