package dev.penstock.query.sql.read;

import dev.penstock.query.QueryException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A limit of the heap that wide cells, or small results, may take together, in bytes. Whoever asks waits in line until
 * there is enough; a large wish is not overtaken by smaller ones. Thread-safe.
 */
public final class ByteBudget {
    /** What 128 responses may hold together. */
    private static final long RESPONSES = 32L << 20;

    /** What one part of a wide cell may take on its way. */
    static final int CHUNK_BYTES = 1 << 20;

    /** The one that all databases of this process share unless they are told otherwise. */
    public static final ByteBudget WIDE_CELLS =
            new ByteBudget(forWideCells(Runtime.getRuntime().maxMemory()), Duration.ofSeconds(30));

    /** What answers that are had at once may take together: an eighth of the largest heap. */
    public static final ByteBudget AT_ONCE =
            new ByteBudget(Runtime.getRuntime().maxMemory() / 8, Duration.ofSeconds(30));

    /** How long a cancel may stay unnoticed. */
    private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final long bytes;
    private final Duration timeout;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    /** Who waits, the first to come first. */
    private final Deque<Object> line = new ArrayDeque<>();

    private long free;

    public ByteBudget(long bytes, Duration timeout) {
        if (bytes < 1024) {
            throw new IllegalArgumentException("a budget of " + bytes + " bytes for wide rows");
        }
        this.bytes = bytes;
        this.timeout = timeout;
        this.free = bytes;
    }

    /**
     * Half of the heap from 256 MiB on, and what a part takes on its way. Less of a smaller one, down to a quarter: of
     * that, what responses hold besides is a larger share.
     */
    public static long forWideCells(long heapBytes) {
        long others = Math.max(0, RESPONSES - heapBytes / 8);
        return Math.max(heapBytes / 4, heapBytes / 2 - others) + CHUNK_BYTES;
    }

    /**
     * Returns how large a heap is to be asked for so that it is enough for so many bytes of wide cells: a collector
     * keeps a part to itself.
     */
    public static long heapFor(long wanted) {
        long half = 2 * (wanted - CHUNK_BYTES);
        return Math.max(half, Math.min(2 * half, 8 * RESPONSES)) / 15 * 16;
    }

    /** Returns all there is. */
    public long bytes() {
        return bytes;
    }

    /** Returns what is not taken. */
    public long available() {
        lock.lock();
        try {
            return free;
        } finally {
            lock.unlock();
        }
    }

    /** Returns how many wait. */
    public int waiting() {
        lock.lock();
        try {
            return line.size();
        } finally {
            lock.unlock();
        }
    }

    /** Waits for so many bytes, at most {@link #bytes}, and gives them as a hold that is released once. */
    public Reservation reserve(long wanted, Session session) {
        Object place = new Object();
        long deadline = System.nanoTime() + timeout.toNanos();
        lock.lock();
        line.addLast(place);
        try {
            while (!place.equals(line.peekFirst()) || free < wanted) {
                session.requireNotCancelled();
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    throw new QueryException(
                            QueryException.Kind.UNAVAILABLE,
                            "waited %d s for %d bytes of the %d that wide rows may take together"
                                    .formatted(timeout.toSeconds(), wanted, bytes));
                }
                // Only the wait is in turns, to notice a cancel; the place in the line stays.
                var _ = changed.awaitNanos(Math.min(left, TURN_NANOS));
            }
            free -= wanted;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new QueryException(
                    QueryException.Kind.CANCELLED, "interrupted while waiting for a wide row", e);
        } finally {
            line.remove(place);
            changed.signalAll();
            lock.unlock();
        }
        return new Reservation(this, wanted);
    }

    /** So many bytes, if they are free and nobody waits for them; else null. */
    public @Nullable Reservation reserveNow(long wanted) {
        lock.lock();
        try {
            if (free < wanted || !line.isEmpty()) {
                return null;
            }
            free -= wanted;
            return new Reservation(this, wanted);
        } finally {
            lock.unlock();
        }
    }

    private void release(long count) {
        lock.lock();
        try {
            free += count;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** A part of the budget. */
    public record Reservation(ByteBudget budget, long bytes) {
        public void release() {
            budget.release(bytes);
        }
    }
}
