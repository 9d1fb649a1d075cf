package dev.penstock.documents.store.jdbc;

import dev.penstock.documents.store.CollectionTables;
import dev.penstock.documents.store.DocumentStore.NewDocument;
import dev.penstock.documents.store.ValueScan;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The catalog of a collection: the entries of its path summary and its indexes. Entries are only ever added,
 * so that writers in several processes need not know of each other, and as many entries are the same entries.
 * Thread-safe.
 */
final class JdbcCatalog {
    /** The number of entries, with the name of the collection as its parameter. */
    static final String ENTRY_COUNT =
            "(SELECT COUNT(*) FROM " + CollectionTables.ENTRIES + " WHERE name = ?)";

    private final Dialect dialect;
    private final CollectionTables tables;
    private final Set<String> known = ConcurrentHashMap.newKeySet();

    /** The indexes that are known to be committed. */
    private volatile Map<List<String>, Integer> indexes = Map.of();

    JdbcCatalog(Dialect dialect, CollectionTables tables) {
        this.dialect = dialect;
        this.tables = tables;
    }

    /** The entries that are not known to be in the catalog, in an order that is the same for every writer. */
    Collection<String> missing(Collection<String> entries) {
        var missing = new TreeSet<>(entries);
        missing.removeAll(known);
        return missing;
    }

    void add(JdbcTransaction transaction, Collection<String> entries) throws SQLException {
        String sql =
                dialect.insertIfAbsent(
                        CollectionTables.ENTRIES, "name, hash, entry", 3, "name, hash");
        try (JdbcTransaction.Batch batch = transaction.batch(sql)) {
            for (String entry : entries) {
                byte[] bytes = entry.getBytes(StandardCharsets.UTF_8);
                batch.add(tables.collection(), hash(bytes), bytes);
            }
            batch.flush();
        }
    }

    private static String hash(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** Notes entries that are committed. */
    void written(Collection<String> entries) {
        known.addAll(entries);
    }

    /** The entries that are known to be committed now. */
    Set<String> known() {
        return Set.copyOf(known);
    }

    /**
     * The numbers that a transaction sees: as entries and indexes are only ever added, as many are the same.
     *
     * @param inParts whether there are documents in pieces
     */
    record Counts(long entries, long indexes, boolean inParts) {}

    /**
     * The greatest number of pieces of a document, as a subquery. The database reads it from the end of the index on
     * {@code parts}, even before it has statistics of the table.
     */
    String mostParts() {
        return "(SELECT MAX(parts) FROM " + tables.documents() + ")";
    }

    /** Reads the numbers, in one statement. */
    Counts counts(JdbcTransaction transaction) throws SQLException {
        return transaction
                .query(
                        "SELECT %s, (SELECT COUNT(*) FROM %s WHERE name = ?), %s"
                                .formatted(ENTRY_COUNT, CollectionTables.INDEXES, mostParts()),
                        row -> new Counts(row.getLong(1), row.getLong(2), row.getLong(3) > 0),
                        tables.collection(),
                        tables.collection())
                .getFirst();
    }

    /**
     * Reads the entries, unless there are only those that are known.
     *
     * @param before what was {@link #known} before the transaction began, so that it sees all of them
     */
    Set<String> entries(JdbcTransaction transaction, Set<String> before, Counts counts)
            throws SQLException {
        if (counts.entries() == before.size()) {
            return before;
        }
        known.addAll(
                transaction.query(
                        "SELECT entry FROM " + CollectionTables.ENTRIES + " WHERE name = ?",
                        row -> new String(row.getBytes(1), StandardCharsets.UTF_8),
                        tables.collection()));
        return known();
    }

    /** The number of the index on each path that is known to have one. */
    Map<List<String>, Integer> knownIndexes() {
        return indexes;
    }

    /** The number of the index on each path that has one, in a transaction that has not added any. */
    Map<List<String>, Integer> indexes(JdbcTransaction transaction, Counts counts)
            throws SQLException {
        Map<List<String>, Integer> all = indexes;
        if (counts.indexes() != all.size()) {
            all = indexes(transaction);
            indexes = all;
        }
        return all;
    }

    /** The number of the index on each path that has one. */
    Map<List<String>, Integer> indexes(JdbcTransaction transaction) throws SQLException {
        var indexes = new HashMap<List<String>, Integer>();
        transaction.query(
                "SELECT number, path FROM " + CollectionTables.INDEXES + " WHERE name = ?",
                row ->
                        indexes.put(
                                List.of(
                                        new String(row.getBytes(2), StandardCharsets.UTF_8)
                                                .split("\0", -1)),
                                row.getInt(1)),
                tables.collection());
        return indexes;
    }

    /** Adds an index; null if the path has one. */
    @Nullable TextIndex addIndex(JdbcTransaction transaction, List<String> path)
            throws SQLException {
        Map<List<String>, Integer> indexes = indexes(transaction);
        if (indexes.containsKey(path)) {
            return null;
        }
        int number = 1 + indexes.values().stream().mapToInt(Integer::intValue).max().orElse(0);
        transaction.update(
                "INSERT INTO "
                        + CollectionTables.INDEXES
                        + " (name, number, path) VALUES (?, ?, ?)",
                tables.collection(),
                number,
                String.join("\0", path).getBytes(StandardCharsets.UTF_8));
        return new TextIndex(tables, number, path);
    }

    /** Writes the texts of a document that the table of texts should have. */
    void writeTexts(JdbcTransaction transaction, String id, Supplier<InputStream> json)
            throws SQLException {
        if (dialect.textTable()) {
            writeTexts(transaction, id, json, indexes(transaction));
        }
    }

    /** Writes the texts of documents that the table of texts should have. */
    void writeTexts(JdbcTransaction transaction, List<NewDocument> documents) throws SQLException {
        Map<List<String>, Integer> indexes = dialect.textTable() ? indexes(transaction) : Map.of();
        if (indexes.isEmpty()) {
            return;
        }
        try (JdbcTransaction.Batch batch = transaction.batch(insertText())) {
            for (NewDocument each : documents) {
                addTexts(batch, each.id(), each.json()::open, indexes);
            }
            batch.flush();
        }
    }

    /** Writes the texts of a document for one index. */
    void writeTexts(
            JdbcTransaction transaction, String id, Supplier<InputStream> json, TextIndex index)
            throws SQLException {
        writeTexts(transaction, id, json, Map.of(index.path(), index.number()));
    }

    private void writeTexts(
            JdbcTransaction transaction,
            String id,
            Supplier<InputStream> json,
            Map<List<String>, Integer> indexes)
            throws SQLException {
        if (indexes.isEmpty()) {
            return;
        }
        try (JdbcTransaction.Batch batch = transaction.batch(insertText())) {
            addTexts(batch, id, json, indexes);
            batch.flush();
        }
    }

    private String insertText() {
        return dialect.insertIfAbsent(tables.texts(), "path, text, id", 3, "path, text, id");
    }

    private static void addTexts(
            JdbcTransaction.Batch batch,
            String id,
            Supplier<InputStream> json,
            Map<List<String>, Integer> indexes)
            throws SQLException {
        var failure = new SQLException[1];
        ValueScan.scan(
                json.get(),
                (path, text) -> {
                    Integer number = indexes.get(path);
                    if (number != null && text != null && failure[0] == null) {
                        try {
                            batch.add(number, TextIndex.key(text), id);
                        } catch (SQLException e) {
                            failure[0] = e;
                        }
                    }
                });
        if (failure[0] != null) {
            throw failure[0];
        }
    }
}
