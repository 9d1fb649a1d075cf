package dev.penstock.query.typed.rows;

import dev.penstock.query.Cursor;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.DoubleConsumer;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** One double of each row of a feed, split as {@link Rows} are. */
public final class DoubleRows implements Spliterator.OfDouble {
    private final Feed feed;
    private final ToDoubleFunction<Cursor> reader;

    public DoubleRows(Feed feed, ToDoubleFunction<Cursor> reader) {
        this.feed = feed;
        this.reader = reader;
    }

    @Override
    public boolean tryAdvance(DoubleConsumer action) {
        double cell;
        feed.lock();
        try {
            if (!feed.advance()) {
                return false;
            }
            cell = reader.applyAsDouble(feed.row());
        } finally {
            feed.unlock();
        }
        action.accept(cell);
        return true;
    }

    @Override
    public void forEachRemaining(DoubleConsumer action) {
        if (feed.isShared()) {
            while (tryAdvance(action)) {}
            return;
        }
        while (feed.advance()) {
            action.accept(reader.applyAsDouble(feed.row()));
        }
    }

    @Override
    public Spliterator.@Nullable OfDouble trySplit() {
        if (!feed.split()) {
            return null;
        }
        return feed.isOrdered() ? batch() : new DoubleRows(feed, reader);
    }

    private Spliterator.@Nullable OfDouble batch() {
        double[] cells = new double[Feed.BATCH_ROWS];
        int count = 0;
        feed.lock();
        try {
            while (count < cells.length && feed.advance()) {
                cells[count++] = reader.applyAsDouble(feed.row());
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
