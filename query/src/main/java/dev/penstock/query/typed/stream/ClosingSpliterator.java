package dev.penstock.query.typed.stream;

import dev.penstock.query.typed.rows.SharedCursor;
import java.util.Comparator;
import java.util.Spliterator;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.DoubleConsumer;
import java.util.function.IntConsumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The spliterator of a stream that gives the cursor back when it and all that were split off it have come to their ends, which may be before
 * that of the rows, or when one of them fails.
 *
 * @param <T> what it gives
 * @param <S> the JDK's spliterator
 */
class ClosingSpliterator<T, S extends Spliterator<T>> implements Spliterator<T> {
    final S elements;
    final SharedCursor cursor;

    /** How many parts there are that have not come to their end. */
    final AtomicInteger parts;

    private boolean over;

    ClosingSpliterator(SharedCursor cursor, S elements) {
        this(cursor, elements, new AtomicInteger(1));
    }

    private ClosingSpliterator(SharedCursor cursor, S elements, AtomicInteger parts) {
        this.cursor = cursor;
        this.elements = elements;
        this.parts = parts;
    }

    @Override
    public boolean tryAdvance(Consumer<? super T> action) {
        return advance(() -> elements.tryAdvance(action));
    }

    final boolean advance(BooleanSupplier next) {
        boolean more;
        try {
            more = next.getAsBoolean();
        } catch (RuntimeException | Error e) {
            cursor.close(e);
            throw e;
        }
        if (!more) {
            finish();
        }
        return more;
    }

    private void finish() {
        if (!over) {
            over = true;
            if (parts.decrementAndGet() == 0) {
                cursor.close(null);
            }
        }
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

    /** A part of the JDK's spliterator, which is counted. */
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

    /** A spliterator of ints. */
    @SuppressWarnings("overloads") // of the interface
    public static final class Ints extends ClosingSpliterator<Integer, Spliterator.OfInt>
            implements Spliterator.OfInt {
        Ints(SharedCursor cursor, Spliterator.OfInt elements) {
            super(cursor, elements);
        }

        private Ints(SharedCursor cursor, Spliterator.OfInt elements, AtomicInteger parts) {
            super(cursor, elements, parts);
        }

        @Override
        public boolean tryAdvance(IntConsumer action) {
            return advance(() -> elements.tryAdvance(action));
        }

        @Override
        public boolean tryAdvance(Consumer<? super Integer> action) {
            return advance(() -> elements.tryAdvance(action));
        }

        @Override
        public void forEachRemaining(IntConsumer action) {
            remaining(() -> elements.forEachRemaining(action));
        }

        @Override
        public void forEachRemaining(Consumer<? super Integer> action) {
            remaining(() -> elements.forEachRemaining(action));
        }

        @Override
        public Spliterator.@Nullable OfInt trySplit() {
            Spliterator.OfInt split = split();
            return split == null ? null : new Ints(cursor, split, parts);
        }
    }

    /** A spliterator of longs. */
    @SuppressWarnings("overloads") // of the interface
    public static final class Longs extends ClosingSpliterator<Long, Spliterator.OfLong>
            implements Spliterator.OfLong {
        Longs(SharedCursor cursor, Spliterator.OfLong elements) {
            super(cursor, elements);
        }

        private Longs(SharedCursor cursor, Spliterator.OfLong elements, AtomicInteger parts) {
            super(cursor, elements, parts);
        }

        @Override
        public boolean tryAdvance(LongConsumer action) {
            return advance(() -> elements.tryAdvance(action));
        }

        @Override
        public boolean tryAdvance(Consumer<? super Long> action) {
            return advance(() -> elements.tryAdvance(action));
        }

        @Override
        public void forEachRemaining(LongConsumer action) {
            remaining(() -> elements.forEachRemaining(action));
        }

        @Override
        public void forEachRemaining(Consumer<? super Long> action) {
            remaining(() -> elements.forEachRemaining(action));
        }

        @Override
        public Spliterator.@Nullable OfLong trySplit() {
            Spliterator.OfLong split = split();
            return split == null ? null : new Longs(cursor, split, parts);
        }
    }

    /** A spliterator of doubles. */
    @SuppressWarnings("overloads") // of the interface
    public static final class Doubles extends ClosingSpliterator<Double, Spliterator.OfDouble>
            implements Spliterator.OfDouble {
        Doubles(SharedCursor cursor, Spliterator.OfDouble elements) {
            super(cursor, elements);
        }

        private Doubles(SharedCursor cursor, Spliterator.OfDouble elements, AtomicInteger parts) {
            super(cursor, elements, parts);
        }

        @Override
        public boolean tryAdvance(DoubleConsumer action) {
            return advance(() -> elements.tryAdvance(action));
        }

        @Override
        public boolean tryAdvance(Consumer<? super Double> action) {
            return advance(() -> elements.tryAdvance(action));
        }

        @Override
        public void forEachRemaining(DoubleConsumer action) {
            remaining(() -> elements.forEachRemaining(action));
        }

        @Override
        public void forEachRemaining(Consumer<? super Double> action) {
            remaining(() -> elements.forEachRemaining(action));
        }

        @Override
        public Spliterator.@Nullable OfDouble trySplit() {
            Spliterator.OfDouble split = split();
            return split == null ? null : new Doubles(cursor, split, parts);
        }
    }
}
