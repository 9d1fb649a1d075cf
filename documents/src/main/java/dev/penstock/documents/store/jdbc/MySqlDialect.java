package dev.penstock.documents.store.jdbc;

import dev.penstock.documents.store.CollectionTables;
import dev.penstock.documents.store.JsonText;
import java.sql.SQLException;
import java.util.List;

/**
 * MariaDB and MySQL: conditions are nested {@code JSON_EXTRACT}s, one a key, each over the array of what the one before
 * has found, and {@code JSON_TABLE} over the last.
 */
final class MySqlDialect implements Dialect {
    private static final String TEXT =
            """
            CASE JSON_TYPE(v.j) WHEN 'STRING' THEN v.t WHEN 'NULL' THEN '' WHEN 'OBJECT' THEN \
            CASE WHEN v.has_m = 0 THEN '' WHEN JSON_TYPE(v.m) = 'STRING' THEN v.mt END END\
            """;

    private final boolean maria;

    MySqlDialect(boolean maria) {
        this.maria = maria;
    }

    @Override
    public String name() {
        return maria ? "MariaDB" : "MySQL";
    }

    @Override
    public int depthLimit() {
        return maria ? 31 : 98;
    }

    @Override
    public long sizeLimit() {
        // Below the smallest default of max_allowed_packet, 16 MiB, also where every byte is
        // escaped.
        return 6 << 20;
    }

    @Override
    public String idType() {
        return "VARCHAR(200) CHARACTER SET utf8mb4 COLLATE "
                + (maria ? "utf8mb4_nopad_bin" : "utf8mb4_0900_bin");
    }

    @Override
    public String jsonType() {
        return "JSON";
    }

    @Override
    public String bytesType() {
        return "LONGBLOB";
    }

    @Override
    public String tableOptions() {
        return " ENGINE = InnoDB";
    }

    @Override
    public String insertIfAbsent(String table, String columns, int count, String keyColumns) {
        return Dialect.insert("INSERT IGNORE", table, columns, count);
    }

    @Override
    public String writerLock() {
        return "SELECT name FROM "
                + CollectionTables.COLLECTIONS
                + " WHERE name = ? LOCK IN SHARE MODE";
    }

    @Override
    public String exclusiveLock() {
        return "SELECT name FROM " + CollectionTables.COLLECTIONS + " WHERE name = ? FOR UPDATE";
    }

    @Override
    public boolean duplicate(SQLException failure) {
        return failure.getErrorCode() == 1062;
    }

    /** Also error 1020, as MariaDB from 11.6 on calls a row that was changed since the transaction's first reading. */
    @Override
    public boolean transientFailure(SQLException failure) {
        return failure.getErrorCode() == 1020 || Dialect.super.transientFailure(failure);
    }

    /** MySQL refuses it; MariaDB's driver would read all that is left of the rows into memory. */
    @Override
    public boolean interleaves() {
        return false;
    }

    @Override
    public boolean readsRowByRow() {
        return !maria;
    }

    @Override
    public SqlCondition exists(List<String> path) {
        Object[] paths = new Object[2 * path.size()];
        String found = found(path, paths);
        return SqlCondition.of(found + " IS NOT NULL", paths);
    }

    @Override
    public SqlCondition equal(List<String> path, String text) {
        return some(path, "CAST(" + TEXT + " AS BINARY) = CAST(? AS BINARY)", text);
    }

    @Override
    public SqlCondition startsWith(List<String> path, String prefix) {
        return some(path, "LOCATE(CAST(? AS BINARY), CAST(" + TEXT + " AS BINARY)) = 1", prefix);
    }

    @Override
    public SqlCondition contains(List<String> path, String part) {
        return some(path, "LOCATE(CAST(? AS BINARY), CAST(" + TEXT + " AS BINARY)) > 0", part);
    }

    private static SqlCondition some(List<String> path, String condition, String value) {
        Object[] values = new Object[2 * path.size() + 1];
        String found = found(path, values);
        values[values.length - 1] = value;
        return SqlCondition.of(
                "EXISTS (SELECT 1 FROM JSON_TABLE(JSON_EXTRACT("
                        + found
                        + ", '$[*]', '$[*][*]'), '$[*]' COLUMNS (t LONGTEXT PATH '$',"
                        + " j JSON PATH '$', m JSON PATH '$.\"#text\"',"
                        + " mt LONGTEXT PATH '$.\"#text\"',"
                        + " has_m INT EXISTS PATH '$.\"#text\"')) AS v WHERE "
                        + condition
                        + ")",
                values);
    }

    /** The array of the values that a path reaches, of which some may be arrays; null if it reaches nothing. */
    private static String found(List<String> path, Object[] paths) {
        String found = "JSON_EXTRACT(doc, ?, ?)";
        for (int i = 0; i < path.size(); i++) {
            String key = JsonText.quoted(path.get(i));
            // The document is no array: there the second path finds nothing and makes the result an
            // array.
            paths[2 * i] = (i == 0 ? "$." : "$[*].") + key;
            paths[2 * i + 1] = (i == 0 ? "$[*]." : "$[*][*].") + key;
            found = i == 0 ? found : "JSON_EXTRACT(" + found + ", ?, ?)";
        }
        return found;
    }
}
