package dev.penstock.follow;

import dev.penstock.snapshot.ChangeFeed;
import dev.penstock.snapshot.ChangeFeed.ChangedRows;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The changes of committed transactions that were read from the log and not taken yet, in the order of their commits.
 * Bounded: by keys for each table, and by transactions, of which the latest then count as one. Not thread-safe.
 */
final class PendingChanges {
    /** The number of transactions that are told apart. */
    private static final int MOST_TRANSACTIONS = 10_000;

    /** The changes of one transaction, or of several. */
    private static final class Committed {
        long first;
        long last;
        long end;
        final Map<String, Set<List<Object>>> keys = new HashMap<>();
        final Set<String> whole = new HashSet<>();
    }

    /**
     * Changes that were taken.
     *
     * @param end the place in the log behind the last of their transactions; null where there were none
     */
    record Taken(@Nullable Long end, Map<String, ChangedRows> tables) {}

    private final Deque<Committed> committed = new ArrayDeque<>();

    /** The keys that wait, by table. */
    private final Map<String, Integer> counts = new HashMap<>();

    boolean isEmpty() {
        return committed.isEmpty();
    }

    /**
     * Adds a transaction that comes after all others.
     *
     * @param end the place in the log behind its commit
     */
    void add(long xid, long end, Map<String, ChangedRows> tables) {
        Committed last = committed.peekLast();
        if (last == null || committed.size() < MOST_TRANSACTIONS) {
            last = new Committed();
            last.first = xid;
            last.last = xid;
            committed.addLast(last);
        }
        last.first = Math.min(last.first, xid);
        last.last = Math.max(last.last, xid);
        last.end = end;
        for (Map.Entry<String, ChangedRows> each : tables.entrySet()) {
            add(last, each.getKey(), each.getValue());
        }
    }

    private void add(Committed to, String table, ChangedRows rows) {
        switch (rows) {
            case ChangedRows.Keys(Set<List<Object>> keys) -> {
                if (to.whole.contains(table)) {
                    return;
                }
                int count = 0;
                Set<List<Object>> known = to.keys.computeIfAbsent(table, _ -> new HashSet<>());
                for (List<Object> key : keys) {
                    count += known.add(key) ? 1 : 0;
                }
                if (counts.merge(table, count, Integer::sum) > ChangeFeed.MOST_KEYS) {
                    whole(to, table);
                }
            }
            case ChangedRows.All _ -> whole(to, table);
        }
    }

    /** Has each transaction that has changed a table stand for all its rows, without their keys. */
    private void whole(Committed latest, String table) {
        committed.forEach(each -> {
            if (each.keys.remove(table) != null) {
                each.whole.add(table);
            }
        });
        counts.remove(table);
        latest.whole.add(table);
    }

    /** Forgets all. */
    void clear() {
        committed.clear();
        counts.clear();
    }

    /** Takes the first transactions, up to one that is not visible to everyone yet. */
    Taken take(VisibleTransactions visible) {
        Gathered gathered = new Gathered();
        Long end = null;
        Committed next = committed.peekFirst();
        while (next != null && visible.hasAll(next.first, next.last)) {
            committed.removeFirst();
            end = next.end;
            next.keys.forEach((table, keys) -> counts.merge(table, -keys.size(), Integer::sum));
            gathered.add(next);
            next = committed.peekFirst();
        }
        return new Taken(end, gathered.rows());
    }

    /** Returns the changes of all. */
    Map<String, ChangedRows> all() {
        Gathered gathered = new Gathered();
        committed.forEach(gathered::add);
        return gathered.rows();
    }

    /** The changes of several transactions. */
    private static final class Gathered {
        private final Map<String, Set<List<Object>>> keys = new HashMap<>();
        private final Set<String> whole = new HashSet<>();

        void add(Committed one) {
            one.keys.forEach((table, more) ->
                    keys.computeIfAbsent(table, _ -> new HashSet<>()).addAll(more));
            whole.addAll(one.whole);
        }

        Map<String, ChangedRows> rows() {
            Map<String, ChangedRows> rows = new HashMap<>();
            keys.forEach((table, some) -> rows.put(table, new ChangedRows.Keys(some)));
            whole.forEach(table -> rows.put(table, new ChangedRows.All()));
            return rows;
        }
    }
}
