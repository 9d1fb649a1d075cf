package dev.penstock.query.typed.rows;

import java.util.Arrays;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Consumer;
import java.util.stream.BaseStream;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * A spliterator of a sequential stream's elements for several threads, in their order: each split is a copy of the next
 * few. There are at most {@link SharedCursor#SPLITS} splits of {@link SharedCursor#BATCH_ROWS} elements.
 */
public final class BatchingSpliterator<T> implements Spliterator<T> {
    private final Spliterator<T> elements;
    private int splits;

    private BatchingSpliterator(Spliterator<T> elements) {
        this.elements = elements;
    }

    /** Returns a parallel stream of a sequential one's elements. */
    public static BaseStream<?, ?> parallel(BaseStream<?, ?> sequential) {
        return switch (sequential) {
            case IntStream s -> parallel(s.boxed()).mapToInt(Integer::intValue);
            case LongStream s -> parallel(s.boxed()).mapToLong(Long::longValue);
            case DoubleStream s -> parallel(s.boxed()).mapToDouble(Double::doubleValue);
            default -> parallel((Stream<?>) sequential);
        };
    }

    private static <T> Stream<T> parallel(Stream<T> sequential) {
        return StreamSupport.stream(new BatchingSpliterator<>(sequential.spliterator()), true);
    }

    @Override
    public boolean tryAdvance(Consumer<? super T> action) {
        return elements.tryAdvance(action);
    }

    @Override
    public void forEachRemaining(Consumer<? super T> action) {
        elements.forEachRemaining(action);
    }

    @Override
    @SuppressWarnings("unchecked") // the array holds what the elements are
    public @Nullable Spliterator<T> trySplit() {
        if (splits == SharedCursor.SPLITS) {
            return null;
        }
        splits++;
        Object[] batch = new Object[SharedCursor.BATCH_ROWS];
        int[] count = {0};
        while (count[0] < batch.length
                && elements.tryAdvance(element -> batch[count[0]++] = element)) {}
        return count[0] == 0
                ? null
                : (Spliterator<T>)
                        Spliterators.spliterator(Arrays.copyOf(batch, count[0]), ORDERED);
    }

    @Override
    public long estimateSize() {
        return Long.MAX_VALUE;
    }

    @Override
    public int characteristics() {
        return ORDERED;
    }
}
