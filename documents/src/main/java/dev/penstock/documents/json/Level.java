package dev.penstock.documents.json;

import dev.penstock.documents.format.Key;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An element that is open while JSON becomes nodes, or the document: what is left of its values, and their order. */
final class Level implements AutoCloseable {
    final String key;

    /** The place in the array of its key, or -1. */
    final long index;

    /** The values of its child nodes by key, in the order of the keys. */
    final Map<String, Values> children = new LinkedHashMap<>();

    /** The number of nodes of each key that have been read. */
    final Map<String, Long> counts = new LinkedHashMap<>();

    @Nullable StoredOrder order;
    boolean isIndented;

    /** Whether something stands between the last node that is no text and here. */
    boolean isGapFilled;

    private List<String> keys = List.of();
    private int at;

    Level(String key, long index) {
        this.key = key;
        this.index = index;
    }

    boolean hasText() {
        return children.containsKey(Key.TEXT) || children.containsKey(Key.CDATA);
    }

    /** Prepares the order for what has none: as the keys are sorted, or as they are. */
    void defaultOrder(boolean isSorted) {
        keys = new ArrayList<>(children.keySet());
        if (isSorted && keys.size() > 1) {
            List<Key> sorted = new ArrayList<>();
            keys.forEach(each -> sorted.add(new Key(each)));
            sorted.sort(Comparator.naturalOrder());
            keys = sorted.stream().map(each -> each.stored).toList();
        }
    }

    /** Returns the key of the next node, or white space, or null at the end. */
    @Nullable String next() {
        StoredOrder stored = order;
        if (stored != null) {
            return stored.next();
        }
        while (at < keys.size()) {
            Values values = children.get(keys.get(at));
            if (values != null && values.hasNext()) {
                return keys.get(at);
            }
            at++;
        }
        return null;
    }

    @Override
    public void close() {
        children.values().forEach(Values::close);
    }
}
