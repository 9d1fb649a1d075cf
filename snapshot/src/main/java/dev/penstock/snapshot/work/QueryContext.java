package dev.penstock.snapshot.work;

import dev.penstock.query.QueryException;
import dev.penstock.snapshot.memory.HeapReservation;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The context of one query: whether it was cancelled, whether it may use several threads, and what it takes of the
 * heap. Thread-safe.
 */
public final class QueryContext implements AutoCloseable {
    /** The query that a virtual thread works for. */
    private static final ScopedValue<QueryContext> CURRENT = ScopedValue.newInstance();

    private final HeapReservation reservation = new HeapReservation();
    private final boolean parallel;
    private volatile boolean told;

    /** What was handed to another thread and has not begun there, perhaps. */
    private volatile WorkerThreads.@Nullable Task<?> handedOver;

    public QueryContext() {
        this(false);
    }

    /**
     * @param parallel whether several threads may look at the rows
     */
    public QueryContext(boolean parallel) {
        this.parallel = parallel;
    }

    public boolean isParallel() {
        return parallel;
    }

    /**
     * Does work of this query. What a virtual thread hands over meanwhile is withdrawn by {@link #tell} where it has
     * not begun, also by code that is not given the query, such as that of an index that is built first.
     */
    public <T extends @Nullable Object> T within(Supplier<T> work) {
        return Thread.currentThread().isVirtual()
                ? ScopedValue.where(CURRENT, this).call(work::get)
                : work.get();
    }

    /** Returns the query that this virtual thread works for; null for none, and on platform threads. */
    static @Nullable QueryContext current() {
        return CURRENT.isBound() ? CURRENT.get() : null;
    }

    /** Returns what it may take of the heap. */
    public HeapReservation reservation() {
        return reservation;
    }

    /** Tells it to stop. */
    public void tell() {
        told = true;
        WorkerThreads.Task<?> task = handedOver;
        if (task != null) {
            task.withdraw();
        }
    }

    /**
     * Does some work here, or where it would hold the carrier of a virtual thread for long, elsewhere.
     *
     * @param nanos about how long it takes, at the most
     * @throws QueryException of kind {@code CANCELLED} if the query is to stop before it has begun
     */
    public <T extends @Nullable Object> T call(long nanos, Supplier<T> work) {
        if (!WorkerThreads.isHandedOver(nanos)) {
            return work.get();
        }
        WorkerThreads.Task<T> task = WorkerThreads.task(work);
        handedOver = task;
        try {
            // After that, so that whoever tells this to stop either is seen here or withdraws it.
            check();
            return WorkerThreads.handOver(task);
        } finally {
            handedOver = null;
        }
    }

    /**
     * Asked once a block of rows.
     *
     * @throws QueryException of kind {@code CANCELLED} if the query is to stop
     */
    public void check() {
        if (told) {
            throw new QueryException(
                    QueryException.Kind.CANCELLED, "the query in memory was cancelled");
        }
    }

    /** Gives back what it took of the heap. Closing twice does no harm. */
    @Override
    public void close() {
        reservation.close();
    }
}
