package dev.penstock.query.typed.stream;

import dev.penstock.query.typed.rows.SharedCursor;
import java.util.Spliterator;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** A {@link ClosingSpliterator} of ints. */
@SuppressWarnings("overloads") // of the interface
final class ClosingIntSpliterator extends ClosingSpliterator<Integer, Spliterator.OfInt>
        implements Spliterator.OfInt {
    ClosingIntSpliterator(SharedCursor cursor, Spliterator.OfInt elements) {
        super(cursor, elements);
    }

    private ClosingIntSpliterator(
            SharedCursor cursor, Spliterator.OfInt elements, AtomicInteger parts) {
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
        return split == null ? null : new ClosingIntSpliterator(cursor, split, parts);
    }
}
