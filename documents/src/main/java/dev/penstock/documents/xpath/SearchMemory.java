package dev.penstock.documents.xpath;

import dev.penstock.documents.DocumentException;
import dev.penstock.documents.DocumentException.Kind;
import java.lang.ref.Cleaner;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * The memory that one document takes while it is searched here. All searches of a process share a quarter of its heap;
 * what a document needs is estimated, rather too high than too low. It is to be closed when the search has left the
 * document; what is forgotten is given back when nobody can reach it any more. For one thread, but for {@link
 * #holding}.
 */
public final class SearchMemory implements AutoCloseable {
    private static final long STEP = 64 << 10;
    private static final Cleaner CLEANER = Cleaner.create();
    private static final Shared HEAP =
            new Shared(Runtime.getRuntime().maxMemory() / 4, TimeUnit.SECONDS.toNanos(5));

    private final Shared shared;
    private final Reservation reservation;
    private final Cleaner.Cleanable cleanable;
    private long taken;

    /** A number of bytes that several searches share. Thread-safe. */
    static final class Shared {
        private final long limit;
        private final long patienceNanos;
        private final ReentrantLock lock = new ReentrantLock();
        private final Condition given = lock.newCondition();
        private long used;

        /**
         * @param patienceNanos how long a search waits until others have given back what it needs
         */
        Shared(long limit, long patienceNanos) {
            this.limit = limit;
            this.patienceNanos = patienceNanos;
        }

        long used() {
            lock.lock();
            try {
                return used;
            } finally {
                lock.unlock();
            }
        }

        private boolean acquire(long bytes) throws InterruptedException {
            lock.lock();
            try {
                long left = patienceNanos;
                while (used + bytes > limit) {
                    if (left <= 0) {
                        return false;
                    }
                    left = given.awaitNanos(left);
                }
                used += bytes;
                return true;
            } finally {
                lock.unlock();
            }
        }

        private void giveBack(long bytes) {
            lock.lock();
            try {
                used -= bytes;
                given.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    /** The share of one search in the bytes. */
    private record Reservation(Shared shared, AtomicLong bytes) implements Runnable {
        @Override
        public void run() {
            shared.giveBack(bytes.getAndSet(0));
        }
    }

    SearchMemory(Shared shared) {
        this.shared = shared;
        reservation = new Reservation(shared, new AtomicLong());
        cleanable = CLEANER.register(this, reservation);
    }

    /** Opens one for a document, which takes nothing yet. */
    public static SearchMemory open() {
        return new SearchMemory(HEAP);
    }

    /** The bytes that are taken now. */
    long taken() {
        return taken;
    }

    /**
     * Takes bytes. If it fails, as many are taken as before.
     *
     * @throws DocumentException {@code LIMIT} if the document needs more than all searches may have, {@code BUSY} if
     *     other searches have what it needs, and have not given it back in five seconds
     */
    void take(long bytes) {
        long wanted = taken + bytes;
        long reserved = reservation.bytes().get();
        if (wanted > reserved) {
            reserve(reserved, (wanted - reserved + STEP - 1) / STEP * STEP);
        }
        taken = wanted;
    }

    /** Has as many bytes taken as at an earlier moment, or as many more as are still needed. */
    void releaseTo(long bytes) {
        taken = bytes;
    }

    /**
     * Has bytes beside those that are taken while a function runs. Several threads may do so at a time.
     *
     * @throws DocumentException as {@link #take}
     */
    <T> T holding(long bytes, Supplier<T> function) {
        acquire(reservation.bytes().get(), bytes);
        try {
            return function.get();
        } finally {
            shared.giveBack(bytes);
        }
    }

    private void reserve(long reserved, long more) {
        acquire(reserved, more);
        reservation.bytes().addAndGet(more);
    }

    private void acquire(long reserved, long more) {
        if (reserved + more > shared.limit) {
            throw new DocumentException(
                    Kind.LIMIT,
                    ("To search a document takes more memory than a quarter of the heap, which is %,d bytes; store its"
                                    + " records as documents of their own, or start with a larger heap")
                            .formatted(shared.limit));
        }
        boolean isAcquired;
        try {
            isAcquired = shared.acquire(more);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            isAcquired = false;
        }
        if (!isAcquired) {
            throw new DocumentException(
                    Kind.BUSY,
                    "Other searches take the memory that a document needs to be searched; try again later, or start"
                            + " with a larger heap");
        }
    }

    /** Gives back what it has taken. Closing it again does nothing. */
    @Override
    public void close() {
        cleanable.clean();
    }
}
