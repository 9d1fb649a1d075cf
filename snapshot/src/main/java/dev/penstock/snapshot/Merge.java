package dev.penstock.snapshot;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** Makes the next version of a table of the last one and of what has changed. */
final class Merge {
    private Merge() {}

    /**
     * The rows of {@code changed}, and those of {@code before} that it has no others for. Both are in the order of the key.
     *
     * @param before the last version
     * @param changed rows that are new, or may be
     * @param keys the keys of all rows that there are, in a table of the same key; null where none of them has been deleted
     */
    static StoredTable of(
            StoredTable before, StoredTable changed, @Nullable StoredTable keys, Memory memory) {
        BitSet kept = new BitSet();
        kept.set(0, before.rows());
        if (keys != null) {
            retain(kept, before, keys);
        }
        int known = kept.cardinality();
        remove(kept, before, changed);
        if (changed.rows() == 0 && known == before.rows()) {
            return before;
        }
        try (TableBuilder builder = new TableBuilder(before.table(), memory)) {
            builder.addAll(before, kept);
            BitSet all = new BitSet();
            all.set(0, changed.rows());
            builder.addAll(changed, all);
            return builder.build();
        }
    }

    /** Leaves only rows whose key is among these. */
    private static void retain(BitSet rows, StoredTable table, StoredTable keys) {
        KeyOrder order = new KeyOrder(table, keys);
        int key = 0;
        for (int row = 0; row < table.rows(); row++) {
            while (key < keys.rows() && order.compare(row, key) > 0) {
                key++;
            }
            if (key == keys.rows() || order.compare(row, key) != 0) {
                rows.clear(row);
            }
        }
    }

    /** Leaves only rows whose key is not among those of another table. */
    private static void remove(BitSet rows, StoredTable table, StoredTable other) {
        KeyOrder order = new KeyOrder(table, other);
        int row = 0;
        for (int key = 0; key < other.rows(); key++) {
            while (row < table.rows() && order.compare(row, key) < 0) {
                row++;
            }
            if (row < table.rows() && order.compare(row, key) == 0) {
                rows.clear(row);
            }
        }
    }
}
