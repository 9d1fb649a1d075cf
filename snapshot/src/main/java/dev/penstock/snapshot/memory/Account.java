package dev.penstock.snapshot.memory;

import dev.penstock.query.QueryException;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/** An account of the bytes that are in use, and their limit. Thread-safe. */
final class Account {
    /** Waits for what a collection frees, the first of a millisecond, each twice as long as the one before. */
    private static final int WAITS = 8;

    /** The most collections for one wish. */
    private static final int MOST_ROUNDS = 5;

    /** The longest wait for the cleaner. */
    private static final int MOST_SECONDS = 10;

    private final long limit;
    private final Refusal refusal;
    private final Garbage garbage;
    private final AtomicLong used = new AtomicLong();

    /** All bytes that were ever given back. */
    private final AtomicLong returned = new AtomicLong();

    private final ReentrantLock collecting = new ReentrantLock();
    private volatile long kept;

    /**
     * Collections that freed too little, after which none is tried for a while. Each use has its own, so that no
     * query is refused for what an index could not have.
     */
    private final Map<MemoryUse, Shortage> shortages = new EnumMap<>(MemoryUse.class);

    /** A text that says why bytes can't be had, and what to do. */
    interface Refusal {
        String text(long used, long bytes, long limit);
    }

    /** The memory that nobody uses and that is not given back yet. */
    interface Garbage {
        /** Runs something when the next collection of the heap has found what can't be reached. */
        void whenCollected(Runnable run);

        /** Gives back what is kept for others. */
        default void giveBackKept() {}
    }

    /**
     * @param garbage runs things after what was found was given back, or among that
     */
    Account(long limit, Refusal refusal, Garbage garbage) {
        if (limit <= 0) {
            throw new IllegalArgumentException("a memory limit of " + limit + " bytes");
        }
        this.limit = limit;
        this.refusal = refusal;
        this.garbage = garbage;
    }

    /**
     * Takes bytes.
     *
     * @throws QueryException of kind {@code MEMORY_LIMIT} if they can't be had
     */
    void reserve(long bytes, MemoryUse use) {
        if (!take(bytes, use)) {
            throw new QueryException(
                    QueryException.Kind.MEMORY_LIMIT, refusal.text(used.get(), bytes, limit));
        }
    }

    /** Has the JVM collect garbage where so many bytes can't be taken. Returns whether they can be now. */
    boolean makeRoom(long bytes, MemoryUse use) {
        boolean isHad = take(bytes, use);
        if (isHad) {
            giveBack(bytes);
        }
        return isHad;
    }

    /** Takes bytes, if need be after a collection; false where they can't be had. */
    private boolean take(long bytes, MemoryUse use) {
        long most = limit - (use == MemoryUse.INDEX ? kept : 0);
        return add(bytes, most) || (bytes <= most && collect(bytes, most, use));
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
    private boolean collect(long bytes, long limit, MemoryUse use) {
        collecting.lock();
        try {
            garbage.giveBackKept();
            if (add(bytes, limit)) {
                return true;
            }
            Shortage before = shortages.get(use);
            if (before != null && isTooSoon(before, use)) {
                return false;
            }
            Lifetime.awaitEnds();
            garbage.giveBackKept();
            if (add(bytes, limit)) {
                return true;
            }
            long returnedBefore;
            int round = 0;
            do {
                returnedBefore = returned.get();
                collectAndClean();
                if (addSoon(bytes, limit)) {
                    shortages.clear();
                    return true;
                }
                // Where something was given back, the cleaner may be in the midst of the rest.
            } while (returned.get() > returnedBefore
                    && ++round < MOST_ROUNDS
                    && !Thread.currentThread().isInterrupted());
            shortages.put(use, Shortage.after(before));
            return false;
        } finally {
            collecting.unlock();
        }
    }

    private boolean addSoon(long bytes, long limit) {
        for (int i = 0; i < WAITS; i++) {
            garbage.giveBackKept();
            if (add(bytes, limit)) {
                return true;
            }
            LockSupport.parkNanos(1_000_000L << i);
        }
        return false;
    }

    /**
     * Has the JVM collect, and the cleaner begin with what was found: on a busy machine that may take a while, in
     * which nothing more is to be had.
     */
    private void collectAndClean() {
        CountDownLatch cleaned = new CountDownLatch(1);
        garbage.whenCollected(cleaned::countDown);
        System.gc();
        try {
            boolean _ = cleaned.await(MOST_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean isTooSoon(Shortage last, MemoryUse use) {
        return switch (use) {
            case VERSION -> false;
            case QUERY -> last.isRecent();
            case INDEX -> last.isTooSoon();
        };
    }

    long limit() {
        return limit;
    }

    /** Returns the bytes that are taken. */
    long used() {
        return used.get();
    }

    /** Has that many bytes left free by indexes, unless that is above the limit. */
    void keep(long bytes) {
        kept = bytes <= limit ? bytes : 0;
    }

    void giveBack(long bytes) {
        returned.addAndGet(bytes);
        used.addAndGet(-bytes);
    }
}
