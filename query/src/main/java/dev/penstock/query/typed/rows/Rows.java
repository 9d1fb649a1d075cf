package dev.penstock.query.typed.rows;

import dev.penstock.query.typed.field.RowReader;
import java.util.Arrays;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a feed. It splits into others that read the same feed in turn, or, where the rows have an order, into copies of the next
 * few rows.
 */
public final class Rows<T> implements Spliterator<T> {
    private final Feed feed;
    private final RowReader<T> reader;

    public Rows(Feed feed, RowReader<T> reader) {
        this.feed = feed;
        this.reader = reader;
    }

    @Override
    public boolean tryAdvance(Consumer<? super T> action) {
        T row;
        feed.lock();
        try {
            if (!feed.advance()) {
                return false;
            }
            row = reader.read(feed.row());
        } finally {
            feed.unlock();
        }
        action.accept(row);
        return true;
    }

    @Override
    public void forEachRemaining(Consumer<? super T> action) {
        if (feed.isShared()) {
            while (tryAdvance(action)) {}
            return;
        }
        while (feed.advance()) {
            action.accept(reader.read(feed.row()));
        }
    }

    @Override
    public @Nullable Spliterator<T> trySplit() {
        if (!feed.split()) {
            return null;
        }
        return feed.isOrdered() ? batch() : new Rows<>(feed, reader);
    }

    @SuppressWarnings("unchecked") // the array holds what the reader gave
    private @Nullable Spliterator<T> batch() {
        Object[] rows = new Object[Feed.BATCH_ROWS];
        int count = 0;
        feed.lock();
        try {
            while (count < rows.length && feed.advance()) {
                rows[count++] = reader.read(feed.row());
            }
        } finally {
            feed.unlock();
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
        return feed.isOrdered() ? ORDERED : 0;
    }
}
