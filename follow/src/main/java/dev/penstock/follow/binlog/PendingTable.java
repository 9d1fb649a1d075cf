package dev.penstock.follow.binlog;

import dev.penstock.snapshot.ChangeFeed;
import dev.penstock.snapshot.ChangeFeed.ChangedRows;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The changes of one table that were not taken yet: its keys, each with the place in the log after which it was last
 * changed. All rows together have two places: what was changed first is not after the one, what was changed last is not
 * after the other. Not thread-safe.
 */
final class PendingTable {
    private final Map<List<Object>, BinlogPosition> keys = new HashMap<>();
    private long characters;
    private @Nullable BinlogPosition firstOfAll;
    private @Nullable BinlogPosition lastOfAll;

    void add(ChangedKeys changed, BinlogPosition end) {
        if (firstOfAll != null) {
            lastOfAll = end;
        } else if (changed.isAll()) {
            addAll(end);
        } else {
            for (List<Object> key : changed.keys()) {
                if (keys.put(key, end) == null) {
                    characters += ChangedKeys.characters(key);
                }
            }
            if (keys.size() > ChangeFeed.MOST_KEYS || characters > ChangedKeys.MOST_CHARACTERS) {
                addAll(end);
            }
        }
    }

    private void addAll(BinlogPosition end) {
        firstOfAll = keys.values().stream().min(BinlogPosition::compareTo).orElse(end);
        lastOfAll = end;
        keys.clear();
        characters = 0;
    }

    boolean isEmpty() {
        return firstOfAll == null && keys.isEmpty();
    }

    /** Returns what is here, if anything. */
    Optional<ChangedRows> rows() {
        if (isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                firstOfAll != null ? new ChangedRows.All() : new ChangedRows.Keys(keys.keySet()));
    }

    /**
     * Takes what was changed up to a place, if anything. What was changed once more after it stays.
     *
     * @param end up to where it is told
     * @param settled up to where it need not be told again, at most the end
     */
    Optional<ChangedRows> take(BinlogPosition end, BinlogPosition settled) {
        if (firstOfAll != null && lastOfAll != null) {
            if (!end.reaches(firstOfAll)) {
                return Optional.empty();
            }
            if (settled.reaches(lastOfAll)) {
                firstOfAll = null;
                lastOfAll = null;
            }
            return Optional.of(new ChangedRows.All());
        }
        Set<List<Object>> taken = new HashSet<>();
        Iterator<Map.Entry<List<Object>, BinlogPosition>> each = keys.entrySet().iterator();
        while (each.hasNext()) {
            Map.Entry<List<Object>, BinlogPosition> entry = each.next();
            if (end.reaches(entry.getValue())) {
                taken.add(entry.getKey());
            }
            if (settled.reaches(entry.getValue())) {
                characters -= ChangedKeys.characters(entry.getKey());
                each.remove();
            }
        }
        return taken.isEmpty() ? Optional.empty() : Optional.of(new ChangedRows.Keys(taken));
    }
}
