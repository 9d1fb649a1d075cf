package dev.penstock.snapshot.load;

import dev.penstock.query.Cursor;
import dev.penstock.query.QueryException;
import dev.penstock.query.Table;
import dev.penstock.snapshot.column.StoredTable;
import dev.penstock.snapshot.memory.Memory;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * One loading of all tables while it goes on: how far it is, how fast it may be, and whether it is to stop.
 * Thread-safe.
 */
public final class LoadContext {
    private static final long NANOS_BETWEEN = 200_000_000L;

    private final Memory memory;
    private final RateLimiter rate;
    private final LoadListener listener;
    private final long start = System.nanoTime();
    private final Map<String, Long> rows = new HashMap<>();
    private final Map<String, Long> told = new HashMap<>();
    private final Set<Cursor> cursors = new HashSet<>();
    private volatile boolean stopped;

    public LoadContext(Memory memory, RateLimiter rate, LoadListener listener) {
        this.memory = memory;
        this.rate = rate;
        this.listener = listener;
    }

    /** Remembers a cursor that {@link #stop} is to cancel. */
    synchronized void begin(Cursor cursor) {
        cursors.add(cursor);
        requireGoing();
    }

    synchronized void end(Cursor cursor) {
        cursors.remove(cursor);
    }

    /** Has every thread end what it reads. */
    public synchronized void stop() {
        stopped = true;
        cursors.forEach(Cursor::cancel);
    }

    /** Waits where rows come too fast. */
    void read(int rows) {
        rate.passed(rows, () -> stopped);
        requireGoing();
    }

    /** Takes notice of rows of a table that were read. */
    synchronized void tell(Table table, int more) {
        long all = rows.merge(table.name(), (long) more, Long::sum);
        long now = System.nanoTime();
        if (now - told.getOrDefault(table.name(), start) >= NANOS_BETWEEN) {
            told.put(table.name(), now);
            tell(table, all, false);
        }
    }

    /** Takes notice of a table that is complete. */
    synchronized void complete(StoredTable table) {
        tell(table.table(), table.rows(), true);
    }

    private void tell(Table table, long count, boolean done) {
        Duration elapsed = Duration.ofNanos(System.nanoTime() - start);
        listener.loading(table.name(), count, memory.used(), elapsed, done);
    }

    private void requireGoing() {
        if (stopped) {
            throw new QueryException(
                    QueryException.Kind.CANCELLED,
                    "the loading was stopped before it was complete");
        }
    }
}
