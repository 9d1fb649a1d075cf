package dev.penstock.snapshot.memory;

import dev.penstock.query.QueryException;
import java.lang.ref.Cleaner;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The heap that one query takes for rows that it sorts or groups. It counts until this is closed, or nobody can reach
 * it. All queries together may take a quarter of the largest heap; the first bytes of each are not counted, so that
 * short ones don't meet. Thread-safe.
 */
public final class HeapReservation implements AutoCloseable {
    private static final Cleaner CLEANER =
            Cleaner.create(
                    Thread.ofPlatform().name("penstock-heap-reservation").daemon().factory());
    private static final Heap HEAP = new Heap(Runtime.getRuntime().maxMemory() / 4);

    /** Bytes of a query that are not counted. */
    static final long FREE = 1 << 16;

    /** The heap that all queries together may take. */
    static final class Heap {
        private final long limit;
        private final AtomicLong taken = new AtomicLong();

        /**
         * @param limit in bytes
         */
        Heap(long limit) {
            this.limit = limit;
        }

        long taken() {
            return taken.get();
        }

        private void take(long bytes) {
            long all = taken.addAndGet(bytes);
            if (all > limit) {
                taken.addAndGet(-bytes);
                throw new QueryException(
                        QueryException.Kind.MEMORY_LIMIT,
                        String.format(
                                Locale.ROOT,
                                "rows that queries in memory sort or group would take %,d bytes of"
                                        + " heap, and all queries together may take %,d, a"
                                        + " quarter of it; add a filter or a limit, run fewer of"
                                        + " them at once, or raise -Xmx",
                                all,
                                limit));
            }
        }
    }

    /** The bytes that are counted of a query, and given back once. */
    private record Counted(Heap heap, AtomicLong bytes) implements Runnable {
        @Override
        public void run() {
            heap.taken.addAndGet(-bytes.getAndSet(0));
        }
    }

    private final Counted counted;
    private long taken;
    private Cleaner.@Nullable Cleanable cleanable;

    public HeapReservation() {
        this(HEAP);
    }

    public HeapReservation(Heap heap) {
        counted = new Counted(heap, new AtomicLong());
    }

    /**
     * Asked before an array is made or grows.
     *
     * @throws QueryException of kind {@code MEMORY_LIMIT} if so many bytes more are too many
     */
    public synchronized void take(long bytes) {
        long more = Math.max(0, taken + bytes - FREE) - Math.max(0, taken - FREE);
        if (more > 0) {
            counted.heap.take(more);
            counted.bytes.addAndGet(more);
            if (cleanable == null) {
                cleanable = CLEANER.register(this, counted);
            }
        }
        taken += bytes;
    }

    /** Returns bytes that were taken and not given back. */
    public synchronized long taken() {
        return taken;
    }

    /** Bytes of what is no longer reached. */
    public synchronized void giveBack(long bytes) {
        long before = taken;
        taken = Math.max(0, taken - bytes);
        long less =
                Math.min(
                        counted.bytes.get(),
                        Math.max(0, before - FREE) - Math.max(0, taken - FREE));
        if (less > 0) {
            counted.bytes.addAndGet(-less);
            counted.heap.taken.addAndGet(-less);
        }
    }

    /** Returns the same numbers, and room for more. */
    public int[] grown(int[] numbers, long capacity) {
        int length = (int) Math.min(capacity, Integer.MAX_VALUE - 8);
        take((long) length * Integer.BYTES);
        int[] grown = Arrays.copyOf(numbers, length);
        giveBack((long) numbers.length * Integer.BYTES);
        return grown;
    }

    /** Returns the same numbers, and room for more. */
    public long[] grown(long[] numbers, long capacity) {
        int length = (int) Math.min(capacity, Integer.MAX_VALUE - 8);
        take((long) length * Long.BYTES);
        long[] grown = Arrays.copyOf(numbers, length);
        giveBack((long) numbers.length * Long.BYTES);
        return grown;
    }

    /** Gives all back. Closing twice does no harm. */
    @Override
    public synchronized void close() {
        taken = 0;
        if (cleanable != null) {
            cleanable.clean();
        }
    }
}
