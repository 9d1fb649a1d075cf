package dev.penstock.documents.store.jdbc;

import dev.penstock.documents.store.CollectionTables;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * An index on the texts at a path.
 *
 * @param tables the tables of the collection
 * @param number its number in the collection
 * @param path the keys from the root element on
 */
record TextIndex(CollectionTables tables, int number, List<String> path) {
    /**
     * What of a text the table of texts holds. Every database can index this much, and bytes have one order everywhere.
     */
    static final int KEY_BYTES = 400;

    TextIndex {
        path = List.copyOf(path);
    }

    /** The key of a text: its first bytes in UTF-8. */
    static byte[] key(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return bytes.length <= KEY_BYTES ? bytes : Arrays.copyOf(bytes, KEY_BYTES);
    }

    /** The documents with this text here, by the table of texts. */
    SqlCondition equal(String text, SqlCondition scan) {
        byte[] key = key(text);
        SqlCondition byKey =
                SqlCondition.of(
                                "id IN (SELECT id FROM "
                                        + tables.texts()
                                        + " WHERE path = ? AND text = ?)",
                                number,
                                key)
                        .servedBy(path);
        return key.length < KEY_BYTES ? byKey : SqlCondition.all(List.of(byKey, scan));
    }

    /** The documents with a text here that starts with this, by the table of texts. */
    SqlCondition startsWith(String prefix, SqlCondition scan) {
        byte[] from = key(prefix);
        byte[] below = Arrays.copyOf(from, from.length + 1);
        // No byte of UTF-8 is 0xFF, so this is above every text that starts so.
        below[from.length] = (byte) 0xFF;
        SqlCondition byKey =
                SqlCondition.of(
                                "id IN (SELECT id FROM "
                                        + tables.texts()
                                        + " WHERE path = ? AND text >= ? AND text < ?)",
                                number,
                                from,
                                below)
                        .servedBy(path);
        return from.length < KEY_BYTES ? byKey : SqlCondition.all(List.of(byKey, scan));
    }
}
