package dev.penstock.snapshot;

import dev.penstock.query.QueryException;

/** One run of a query: whether it was told to stop, whether it may use several threads, and what it takes of the heap. Thread-safe. */
final class Run implements AutoCloseable {
    private final Room room = new Room();
    private final boolean parallel;
    private volatile boolean told;

    Run() {
        this(false);
    }

    /**
     * @param parallel whether several threads may look at the rows
     */
    Run(boolean parallel) {
        this.parallel = parallel;
    }

    boolean isParallel() {
        return parallel;
    }

    /** What it may take of the heap. */
    Room room() {
        return room;
    }

    void tell() {
        told = true;
    }

    /**
     * Asked once a block of rows.
     *
     * @throws QueryException of kind {@code CANCELLED} if the query is to stop
     */
    void check() {
        if (told) {
            throw new QueryException(
                    QueryException.Kind.CANCELLED, "the query in memory was cancelled");
        }
    }

    /** Gives back what it took of the heap. Closing twice does no harm. */
    @Override
    public void close() {
        room.close();
    }
}
