package dev.penstock.query.typed.stream;

import dev.penstock.query.typed.rows.SharedCursor;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.PrimitiveIterator;
import java.util.function.Consumer;
import java.util.function.DoubleConsumer;
import java.util.function.IntConsumer;
import java.util.function.LongConsumer;

/**
 * The iterator of a stream that gives the cursor back when it has come to its end, which may be before that of the rows, or when it fails.
 *
 * @param <T> what it gives
 * @param <I> the JDK's iterator
 */
class ClosingIterator<T, I extends Iterator<T>> implements Iterator<T> {
    final I elements;
    private final SharedCursor cursor;
    private boolean over;

    ClosingIterator(SharedCursor cursor, I elements) {
        this.cursor = cursor;
        this.elements = elements;
    }

    @Override
    public final boolean hasNext() {
        if (over) {
            return false;
        }
        boolean more;
        try {
            more = elements.hasNext();
        } catch (RuntimeException | Error e) {
            cursor.close(e);
            throw e;
        }
        if (!more) {
            over = true;
            cursor.close(null);
        }
        return more;
    }

    final void requireNext() {
        if (!hasNext()) {
            throw new NoSuchElementException("the stream has no more elements");
        }
    }

    @Override
    public T next() {
        requireNext();
        return elements.next();
    }

    @Override
    public void forEachRemaining(Consumer<? super T> action) {
        remaining(() -> elements.forEachRemaining(action));
    }

    final void remaining(Runnable all) {
        if (over) {
            return;
        }
        try {
            all.run();
        } catch (RuntimeException | Error e) {
            cursor.close(e);
            throw e;
        }
        over = true;
        cursor.close(null);
    }

    /** An iterator of ints. */
    @SuppressWarnings("overloads") // of the interface
    public static final class Ints extends ClosingIterator<Integer, PrimitiveIterator.OfInt>
            implements PrimitiveIterator.OfInt {
        Ints(SharedCursor cursor, PrimitiveIterator.OfInt elements) {
            super(cursor, elements);
        }

        @Override
        public int nextInt() {
            requireNext();
            return elements.nextInt();
        }

        @Override
        public Integer next() {
            return nextInt();
        }

        @Override
        public void forEachRemaining(IntConsumer action) {
            remaining(() -> elements.forEachRemaining(action));
        }

        @Override
        public void forEachRemaining(Consumer<? super Integer> action) {
            remaining(() -> elements.forEachRemaining(action));
        }
    }

    /** An iterator of longs. */
    @SuppressWarnings("overloads") // of the interface
    public static final class Longs extends ClosingIterator<Long, PrimitiveIterator.OfLong>
            implements PrimitiveIterator.OfLong {
        Longs(SharedCursor cursor, PrimitiveIterator.OfLong elements) {
            super(cursor, elements);
        }

        @Override
        public long nextLong() {
            requireNext();
            return elements.nextLong();
        }

        @Override
        public Long next() {
            return nextLong();
        }

        @Override
        public void forEachRemaining(LongConsumer action) {
            remaining(() -> elements.forEachRemaining(action));
        }

        @Override
        public void forEachRemaining(Consumer<? super Long> action) {
            remaining(() -> elements.forEachRemaining(action));
        }
    }

    /** An iterator of doubles. */
    @SuppressWarnings("overloads") // of the interface
    public static final class Doubles extends ClosingIterator<Double, PrimitiveIterator.OfDouble>
            implements PrimitiveIterator.OfDouble {
        Doubles(SharedCursor cursor, PrimitiveIterator.OfDouble elements) {
            super(cursor, elements);
        }

        @Override
        public double nextDouble() {
            requireNext();
            return elements.nextDouble();
        }

        @Override
        public Double next() {
            return nextDouble();
        }

        @Override
        public void forEachRemaining(DoubleConsumer action) {
            remaining(() -> elements.forEachRemaining(action));
        }

        @Override
        public void forEachRemaining(Consumer<? super Double> action) {
            remaining(() -> elements.forEachRemaining(action));
        }
    }
}
