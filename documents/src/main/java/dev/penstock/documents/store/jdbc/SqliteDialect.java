package dev.penstock.documents.store.jdbc;

import dev.penstock.documents.store.CollectionTables;
import dev.penstock.documents.store.DocumentBuffer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** SQLite: conditions are joins over {@code json_each}, two a key, one for the key and one through arrays. */
final class SqliteDialect implements Dialect {
    private static final int CONSTRAINT = 19;
    private static final int BUSY = 5;

    /** SQLite joins 64 tables at most. */
    private static final int PATH_LIMIT = 30;

    @Override
    public String name() {
        return "SQLite";
    }

    @Override
    public int depthLimit() {
        // It allows 1000; conditions put values into one more array.
        return 990;
    }

    @Override
    public long sizeLimit() {
        return DocumentBuffer.MEMORY_BYTES;
    }

    @Override
    public String idType() {
        return "TEXT COLLATE BINARY";
    }

    @Override
    public String jsonType() {
        return "TEXT";
    }

    @Override
    public String keyType(int bytes) {
        return "BLOB";
    }

    @Override
    public String insertIfAbsent(String table, String columns, int count, String keyColumns) {
        return Dialect.insert("INSERT OR IGNORE", table, columns, count);
    }

    /** A write, as a transaction that begins with a read can't always go on to write. */
    @Override
    public String writerLock() {
        return "UPDATE " + CollectionTables.COLLECTIONS + " SET name = name WHERE name = ?";
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
        return (failure.getErrorCode() & 0xFF) == CONSTRAINT;
    }

    @Override
    public boolean transientFailure(SQLException failure) {
        return (failure.getErrorCode() & 0xFF) == BUSY;
    }

    @Override
    public SqlCondition exists(List<String> path) {
        return some(path, "1 = 1", null);
    }

    @Override
    public SqlCondition equal(List<String> path, String text) {
        return some(path, text(path) + " = ?", text);
    }

    @Override
    public SqlCondition startsWith(List<String> path, String prefix) {
        return some(path, "instr(" + text(path) + ", ?) = 1", prefix);
    }

    @Override
    public SqlCondition contains(List<String> path, String part) {
        return some(path, "instr(" + text(path) + ", ?) > 0", part);
    }

    private static String text(List<String> path) {
        String last = "f" + Math.min(path.size(), PATH_LIMIT);
        String member = last + ".value, '$.\"#text\"'";
        return "CASE "
                + last
                + ".type WHEN 'text' THEN "
                + last
                + ".value WHEN 'null' THEN '' WHEN 'object' THEN CASE WHEN json_type("
                + member
                + ") IS NULL THEN '' WHEN json_type("
                + member
                + ") = 'text' THEN json_extract("
                + member
                + ") END END";
    }

    private static SqlCondition some(
            List<String> path, String condition, @org.jspecify.annotations.Nullable String value) {
        if (path.size() > PATH_LIMIT) {
            return some(path.subList(0, PATH_LIMIT), "1 = 1", null).superset();
        }
        var from = new StringBuilder("EXISTS (SELECT 1 FROM ");
        var where = new StringBuilder();
        var values = new ArrayList<Object>();
        for (int i = 1; i <= path.size(); i++) {
            String before = "f" + (i - 1);
            String object =
                    i == 1
                            ? "doc"
                            : "CASE "
                                    + before
                                    + ".type WHEN 'object' THEN "
                                    + before
                                    + ".value ELSE '{}' END";
            from.append(i == 1 ? "" : ", ")
                    .append(
                            "json_each("
                                    + object
                                    + ") AS k"
                                    + i
                                    + ", json_each("
                                    + elements("k" + i))
                    .append(") AS f" + i);
            where.append("k" + i + ".key = ? AND ");
            values.add(path.get(i - 1));
        }
        if (value != null) {
            values.add(value);
        }
        return new SqlCondition(
                from + " WHERE " + where + condition + ")", values, true, List.of());
    }

    /** A value as an array: itself, or the one that holds it. */
    private static String elements(String value) {
        return "CASE "
                + value
                + ".type WHEN 'array' THEN "
                + value
                + ".value WHEN 'object' THEN '[' || "
                + value
                + ".value || ']' ELSE json_array("
                + value
                + ".value) END";
    }
}
