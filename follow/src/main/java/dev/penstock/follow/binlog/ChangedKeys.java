package dev.penstock.follow.binlog;

import dev.penstock.snapshot.ChangeFeed;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The keys of one table that one transaction has changed, or all of them. Not thread-safe. */
final class ChangedKeys {
    /** The most characters that the keys of a table have together; beyond it, all rows count as changed. */
    static final long MOST_CHARACTERS = 16L << 20;

    private final Set<List<Object>> keys = new HashSet<>();
    private boolean all;
    private long characters;

    /** Returns how many characters the texts of a key have. */
    static long characters(List<Object> key) {
        long characters = 0;
        for (Object value : key) {
            characters += value instanceof String text ? text.length() : 0;
        }
        return characters;
    }

    void add(List<Object> key) {
        if (!all && keys.add(key)) {
            characters += characters(key);
            if (keys.size() > ChangeFeed.MOST_KEYS || characters > MOST_CHARACTERS) {
                addAll();
            }
        }
    }

    void addAll() {
        all = true;
        keys.clear();
    }

    boolean isAll() {
        return all;
    }

    Set<List<Object>> keys() {
        return keys;
    }
}
