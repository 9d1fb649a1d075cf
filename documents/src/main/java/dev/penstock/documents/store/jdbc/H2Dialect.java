package dev.penstock.documents.store.jdbc;

import dev.penstock.documents.store.CollectionTables;
import dev.penstock.documents.store.DocumentBuffer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * H2, which has no conditions that go through arrays: the existence of the root element is asked of the database,
 * equality and beginnings where there is an index; everything else is filtered afterwards.
 */
final class H2Dialect implements Dialect {
    /** The longest identifier of H2. */
    private static final int IDENTIFIER_LENGTH = 256;

    @Override
    public String name() {
        return "H2";
    }

    @Override
    public int depthLimit() {
        return 400;
    }

    @Override
    public long sizeLimit() {
        return DocumentBuffer.MEMORY_BYTES;
    }

    @Override
    public String idType() {
        return "VARCHAR(200)";
    }

    @Override
    public String jsonType() {
        return "JSON";
    }

    @Override
    public String jsonPlaceholder() {
        return "? FORMAT JSON";
    }

    @Override
    public String insertIfAbsent(String table, String columns, int count, String keyColumns) {
        return "MERGE INTO "
                + table
                + " ("
                + columns
                + ") KEY ("
                + keyColumns
                + ") VALUES (?"
                + ", ?".repeat(count - 1)
                + ")";
    }

    @Override
    public String writerLock() {
        return "SELECT name FROM " + CollectionTables.COLLECTIONS + " WHERE name = ? FOR UPDATE";
    }

    @Override
    public String exclusiveLock() {
        return writerLock();
    }

    @Override
    public int snapshotIsolation() {
        return Connection.TRANSACTION_SERIALIZABLE;
    }

    @Override
    public boolean duplicate(SQLException failure) {
        return failure.getErrorCode() == 23505;
    }

    @Override
    public SqlCondition exists(List<String> path) {
        SqlCondition root = root(path);
        return path.size() == 1 ? root : root.superset();
    }

    @Override
    public SqlCondition equal(List<String> path, String text) {
        return root(path).superset();
    }

    @Override
    public SqlCondition startsWith(List<String> path, String prefix) {
        return root(path).superset();
    }

    @Override
    public SqlCondition contains(List<String> path, String part) {
        return root(path).superset();
    }

    /** Returns whether the document has this root element. H2 can't bind a key, so it is a quoted identifier. */
    private static SqlCondition root(List<String> path) {
        String key = path.getFirst();
        if (key.isEmpty() || key.length() > IDENTIFIER_LENGTH) {
            return SqlCondition.UNKNOWN;
        }
        return SqlCondition.of(
                "COALESCE((doc).\"" + key.replace("\"", "\"\"") + "\" IS NOT NULL, FALSE)");
    }
}
