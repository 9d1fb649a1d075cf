package dev.penstock.snapshot.memory;

import dev.penstock.query.QueryException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.ref.Cleaner;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Memory outside the heap, counted against a limit before it is taken. What is allocated here goes when nobody can
 * reach its segment any more, and is counted until then; {@link Scratch} is for what is needed only for a while.
 * Thread-safe.
 */
public final class Memory implements SegmentAllocator {
    private static final Cleaner CLEANER =
            Cleaner.create(Thread.ofPlatform().name("penstock-memory").daemon().factory());

    private final Account account;
    private final Use use;

    /** What was taken through this alone and not given back by a {@link Scratch}, and the most that was. */
    private final AtomicLong own = new AtomicLong();

    private final AtomicLong most = new AtomicLong();

    /**
     * @param limit bytes that may be in use at once; {@link Long#MAX_VALUE} leaves that to the JVM
     */
    public Memory(long limit) {
        this(new Account(limit), Use.QUERY);
    }

    private Memory(Account account, Use use) {
        this.account = account;
        this.use = use;
    }

    /** The purpose that memory is taken for. */
    private enum Use {
        /** What has to be had: whatever can be freed for it is. */
        VERSION,

        /** What a query needs meanwhile. */
        QUERY,

        /** What can be done without. */
        INDEX
    }

    /** The same memory, less what {@link #keep} leaves for the next version. */
    public Memory forIndexes() {
        return new Memory(account, Use.INDEX);
    }

    /** Has that many bytes left free by indexes, unless that is above the limit, as that of mapped tables may be. */
    public void keep(long bytes) {
        account.kept = bytes <= account.limit ? bytes : 0;
    }

    long limit() {
        return account.limit;
    }

    /** Returns bytes that are taken and not yet given back. */
    public long used() {
        return account.used.get();
    }

    /** Returns how many bytes more may be taken now, without anything that was not given back yet. */
    public long room() {
        return account.limit - (use == Use.INDEX ? account.kept : 0) - account.used.get();
    }

    /** Returns the same memory for a version that is loaded; {@link #most} tells what that took. */
    public Memory forVersion() {
        return new Memory(account, Use.VERSION);
    }

    /**
     * Returns the most bytes that were taken through this at once, where only what a {@link Scratch} had was given
     * back.
     */
    public long most() {
        return most.get();
    }

    /**
     * Allocates zeroed memory.
     *
     * @throws QueryException of kind {@code MEMORY_LIMIT} if it would pass the limit, or the JVM has no more
     */
    @Override
    public MemorySegment allocate(long bytes, long alignment) {
        MemorySegment segment = take(Arena.ofAuto(), bytes, alignment);
        if (bytes > 0) {
            Account from = account;
            CLEANER.register(segment, () -> from.giveBack(bytes));
        }
        return segment;
    }

    /** Returns memory for a while. */
    public Scratch scratch() {
        return new Scratch();
    }

    private MemorySegment take(Arena arena, long bytes, long alignment) {
        account.reserve(bytes, use);
        try {
            MemorySegment segment = arena.allocate(bytes, alignment);
            most.accumulateAndGet(own.addAndGet(bytes), Math::max);
            return segment;
        } catch (OutOfMemoryError e) {
            account.giveBack(bytes);
            throw new QueryException(
                    QueryException.Kind.MEMORY_LIMIT,
                    ("the JVM has no %,d bytes outside the heap left for the snapshot, which has %,d; raise"
                                    + " -XX:MaxDirectMemorySize, or load fewer tables")
                            .formatted(bytes, used()),
                    e);
        } catch (RuntimeException e) {
            account.giveBack(bytes);
            throw e;
        }
    }

    /** An account of the bytes that are in use, and their limit. */
    private static final class Account {
        /** Waits for what a collection frees, the first of a millisecond, each twice as long as the one before. */
        private static final int WAITS = 8;

        /** How long the cleaner is waited for at the most. */
        private static final int MOST_SECONDS = 10;

        private final long limit;
        private final AtomicLong used = new AtomicLong();
        private final ReentrantLock collecting = new ReentrantLock();
        private volatile long kept;

        /**
         * Collections that freed too little, after which none is tried for a while. Each use has its own, so that no
         * query is refused for what an index could not have.
         */
        private final Map<Use, Shortage> shortages = new EnumMap<>(Use.class);

        private Account(long limit) {
            if (limit <= 0) {
                throw new IllegalArgumentException("a memory limit of " + limit + " bytes");
            }
            this.limit = limit;
        }

        private void reserve(long bytes, Use use) {
            long most = limit - (use == Use.INDEX ? kept : 0);
            if (!add(bytes, most) && !(bytes <= most && collect(bytes, most, use))) {
                throw new QueryException(
                        QueryException.Kind.MEMORY_LIMIT,
                        ("the snapshot has %,d bytes and needs %,d more; its limit is %,d. Raise the"
                                        + " limit, load fewer tables or keep"
                                        + " fewer versions")
                                .formatted(used.get(), bytes, limit));
            }
        }

        private boolean add(long bytes, long limit) {
            long before = used.get();
            while (bytes <= limit - before) {
                if (used.compareAndSet(before, before + bytes)) {
                    return true;
                }
                before = used.get();
            }
            return false;
        }

        /**
         * Runs the garbage collector, and waits until what it found was freed. The heap may be far from full when the
         * limit is reached, so that nothing else would find out which memory can't be reached any more. Returns whether
         * there is room now.
         */
        private boolean collect(long bytes, long limit, Use use) {
            collecting.lock();
            try {
                if (add(bytes, limit)) {
                    return true;
                }
                Shortage before = shortages.get(use);
                if (before != null && isTooSoon(before, use)) {
                    return false;
                }
                collectAndClean();
                for (int i = 0; i < WAITS; i++) {
                    if (add(bytes, limit)) {
                        shortages.clear();
                        return true;
                    }
                    LockSupport.parkNanos(1_000_000L << i);
                }
                shortages.put(use, Shortage.after(before));
                return false;
            } finally {
                collecting.unlock();
            }
        }

        /**
         * Has the JVM collect, and the cleaner begin with what was found: on a busy machine that may take a while, in
         * which nothing more is to be had.
         */
        private static void collectAndClean() {
            CountDownLatch cleaned = new CountDownLatch(1);
            registerGarbage(cleaned);
            System.gc();
            try {
                boolean _ = cleaned.await(MOST_SECONDS, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        /** By itself, so that nothing here reaches the object any more. */
        private static void registerGarbage(CountDownLatch cleaned) {
            CLEANER.register(new Object(), cleaned::countDown);
        }

        private static boolean isTooSoon(Shortage last, Use use) {
            return switch (use) {
                case VERSION -> false;
                case QUERY -> last.isRecent();
                case INDEX -> last.isTooSoon();
            };
        }

        private void giveBack(long bytes) {
            used.addAndGet(-bytes);
        }
    }

    /**
     * Memory that is given back all at once, by {@link #close}. What came from it must not be used after that.
     * Thread-safe.
     */
    public final class Scratch implements SegmentAllocator, AutoCloseable {
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
                account.giveBack(taken.get());
                own.addAndGet(-taken.get());
            }
        }
    }
}
