package dev.penstock.query.typed.stream;

import dev.penstock.query.typed.rows.SharedCursor;
import java.util.Comparator;
import java.util.Spliterator;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A spliterator of a stream's elements that closes the cursor when it and all that were split off it have come to their
 * ends, which may be before that of the rows, or when one of them fails.
 *
 * @param <T> what it gives
 * @param <S> the JDK's spliterator
 */
class ClosingSpliterator<T, S extends Spliterator<T>> implements Spliterator<T> {
    final S elements;
    final SharedCursor cursor;

    /** The number of parts that have not come to their end. */
    final AtomicInteger parts;

    private boolean over;

    ClosingSpliterator(SharedCursor cursor, S elements) {
        this(cursor, elements, new AtomicInteger(1));
    }

    ClosingSpliterator(SharedCursor cursor, S elements, AtomicInteger parts) {
        this.cursor = cursor;
        this.elements = elements;
        this.parts = parts;
    }

    @Override
    public boolean tryAdvance(Consumer<? super T> action) {
        return advance(() -> elements.tryAdvance(action));
    }

    final boolean advance(BooleanSupplier next) {
        if (over) {
            return false;
        }
        boolean more;
        try {
            more = next.getAsBoolean();
        } catch (RuntimeException | Error e) {
            cursor.close(e);
            throw e;
        }
        if (!more) {
            over = true;
            if (parts.decrementAndGet() == 0) {
                cursor.close(null);
            }
        }
        return more;
    }

    @Override
    public void forEachRemaining(Consumer<? super T> action) {
        remaining(() -> elements.forEachRemaining(action));
    }

    final void remaining(Runnable all) {
        boolean ignored =
                advance(() -> {
                    all.run();
                    return false;
                });
    }

    @Override
    public @Nullable Spliterator<T> trySplit() {
        Spliterator<T> split = split();
        return split == null ? null : new ClosingSpliterator<>(cursor, split, parts);
    }

    /** Splits the JDK's spliterator and counts the part. */
    @SuppressWarnings("unchecked") // a spliterator of a primitive splits into such
    final @Nullable S split() {
        Spliterator<T> split = over ? null : elements.trySplit();
        if (split != null) {
            parts.incrementAndGet();
        }
        return (S) split;
    }

    @Override
    public final long estimateSize() {
        return elements.estimateSize();
    }

    @Override
    public final int characteristics() {
        return elements.characteristics();
    }

    @Override
    public final @Nullable Comparator<? super T> getComparator() {
        return elements.getComparator();
    }
}
