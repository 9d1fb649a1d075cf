package dev.penstock.snapshot;

import dev.penstock.query.QueryException;

/** Whether a query that runs was told to stop. Thread-safe. */
final class Stop {
    private volatile boolean told;

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
}
