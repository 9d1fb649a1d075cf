package dev.penstock.snapshot;

import dev.penstock.query.Table;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** A feed that tells what a test has put into it. Used by one thread, but for {@link #await}. */
final class ListedFeed implements ChangeFeed {
    final List<String> started = new ArrayList<>();
    final List<String> confirmed = new ArrayList<>();
    final Semaphore told = new Semaphore(0);
    private final Map<String, ChangedRows> taken = new HashMap<>();
    private final Map<String, ChangedRows> further = new HashMap<>();
    boolean goesOn = true;
    boolean closed;
    int position;
    int disturbances;
    @Nullable RuntimeException failure;

    /** Tells of keys of one column, which are taken at the next refresh. */
    void tell(String table, Object... keys) {
        merge(taken, table, keys(keys));
        position++;
        told.release();
    }

    void tell(String table, List<List<Object>> keys) {
        merge(taken, table, new ChangedRows.Keys(new HashSet<>(keys)));
        position++;
        told.release();
    }

    void tellAll(String table) {
        merge(taken, table, new ChangedRows.All());
        position++;
        told.release();
    }

    /** Tells of keys that are not taken at the next refresh, and yet are known by then. */
    void tellLate(String table, Object... keys) {
        merge(further, table, keys(keys));
    }

    private static ChangedRows keys(Object... keys) {
        List<List<Object>> all = new ArrayList<>();
        for (Object key : keys) {
            all.add(List.of(key));
        }
        return new ChangedRows.Keys(new HashSet<>(all));
    }

    private static void merge(Map<String, ChangedRows> to, String table, ChangedRows rows) {
        to.merge(table, rows, ChangedRows::and);
    }

    @Override
    public boolean start(List<Table> tables, @Nullable String from) {
        started.add(tables.stream().map(Table::name).toList() + " " + from);
        if (from != null && goesOn) {
            position = Integer.parseInt(from);
        }
        return goesOn;
    }

    @Override
    public boolean await(Duration most) throws InterruptedException {
        return told.tryAcquire(most.toNanos(), java.util.concurrent.TimeUnit.NANOSECONDS);
    }

    @Override
    public Changes take() {
        Changes changes = new Changes(Integer.toString(position), taken);
        taken.clear();
        return changes;
    }

    @Override
    public Map<String, ChangedRows> peek() {
        RuntimeException thrown = failure;
        failure = null;
        if (thrown != null) {
            throw thrown;
        }
        return Map.copyOf(further);
    }

    @Override
    public boolean isCurrent() {
        return --disturbances < 0;
    }

    @Override
    public void confirm(String lasting) {
        confirmed.add(lasting);
    }

    @Override
    public void close() {
        closed = true;
    }
}
