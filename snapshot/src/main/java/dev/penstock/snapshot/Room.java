package dev.penstock.snapshot;

import dev.penstock.query.QueryException;
import java.util.Locale;

/** What one query may take of the heap for rows that it sorts or groups. */
final class Room {
    /** A quarter of the largest heap, in bytes. */
    private static final long MOST = Runtime.getRuntime().maxMemory() / 4;

    private Room() {}

    /**
     * Asked before an array grows.
     *
     * @throws QueryException of kind {@code MEMORY_LIMIT} if so many bytes are too many
     */
    static void require(long bytes) {
        if (bytes > MOST) {
            throw new QueryException(
                    QueryException.Kind.MEMORY_LIMIT,
                    String.format(
                            Locale.ROOT,
                            "rows that a query in memory sorts or groups take %,d bytes of heap, and a query may take %,d, a quarter"
                                    + " of it; add a filter or a limit, or raise -Xmx",
                            bytes,
                            MOST));
        }
    }
}
