package dev.penstock.snapshot;

import dev.penstock.query.QueryException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.ref.Cleaner;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Memory outside the heap, counted against a limit before it is taken. What is allocated here goes when nobody can reach its segment any more,
 * and is counted until then; {@link Scratch} is for what is needed only for a while. Thread-safe.
 */
final class Memory implements SegmentAllocator {
    private static final Cleaner CLEANER =
            Cleaner.create(Thread.ofPlatform().name("penstock-memory").daemon().factory());

    private final long limit;
    private final AtomicLong used = new AtomicLong();

    /**
     * @param limit bytes that may be in use at once; {@link Long#MAX_VALUE} leaves that to the JVM
     */
    Memory(long limit) {
        if (limit <= 0) {
            throw new IllegalArgumentException("a memory limit of " + limit + " bytes");
        }
        this.limit = limit;
    }

    long limit() {
        return limit;
    }

    /** Bytes that are taken and not yet given back. */
    long used() {
        return used.get();
    }

    /**
     * Zeroed memory.
     *
     * @throws QueryException of kind {@code MEMORY_LIMIT} if it would pass the limit, or the JVM has no more
     */
    @Override
    public MemorySegment allocate(long bytes, long alignment) {
        MemorySegment segment = take(Arena.ofAuto(), bytes, alignment);
        if (bytes > 0) {
            AtomicLong counter = used;
            CLEANER.register(segment, () -> counter.addAndGet(-bytes));
        }
        return segment;
    }

    /** Memory for a while. */
    Scratch scratch() {
        return new Scratch();
    }

    private MemorySegment take(Arena arena, long bytes, long alignment) {
        reserve(bytes);
        try {
            return arena.allocate(bytes, alignment);
        } catch (OutOfMemoryError e) {
            used.addAndGet(-bytes);
            throw new QueryException(
                    QueryException.Kind.MEMORY_LIMIT,
                    ("the JVM has no %,d bytes outside the heap left for the snapshot, which has %,d; raise"
                                    + " -XX:MaxDirectMemorySize, or load fewer tables")
                            .formatted(bytes, used.get()),
                    e);
        }
    }

    private void reserve(long bytes) {
        long before = used.getAndAdd(bytes);
        if (bytes > limit - before) {
            used.addAndGet(-bytes);
            throw new QueryException(
                    QueryException.Kind.MEMORY_LIMIT,
                    ("the snapshot has %,d bytes and needs %,d more; its limit is %,d. Raise the limit, load fewer tables or keep"
                                    + " fewer versions")
                            .formatted(before, bytes, limit));
        }
    }

    /** Memory that is given back all at once, by {@link #close}. What came from it must not be used after that. Thread-safe. */
    final class Scratch implements SegmentAllocator, AutoCloseable {
        private final Arena arena = Arena.ofShared();
        private final AtomicLong taken = new AtomicLong();

        private Scratch() {}

        @Override
        public MemorySegment allocate(long bytes, long alignment) {
            MemorySegment segment = take(arena, bytes, alignment);
            taken.addAndGet(bytes);
            return segment;
        }

        /** Closing twice does no harm. */
        @Override
        public void close() {
            if (arena.scope().isAlive()) {
                arena.close();
                used.addAndGet(-taken.get());
            }
        }
    }
}
