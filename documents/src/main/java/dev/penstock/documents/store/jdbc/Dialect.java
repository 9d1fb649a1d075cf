package dev.penstock.documents.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The ways of one database: types, limits, and conditions on JSON. A condition on a path is asked of the
 * column {@code doc}, which is null for a document in parts. Immutable.
 */
interface Dialect {
    /** The name of the database, as messages have it. */
    String name();

    /** The most arrays and objects that a document in one value may nest. */
    int depthLimit();

    /** The most bytes of JSON in one value; bounded also by the size of one statement. */
    long sizeLimit();

    /** The type of an id, compared by bytes. */
    String idType();

    /** The type of a document's JSON. */
    String jsonType();

    /** The type of up to this many bytes in an index. */
    default String keyType(int bytes) {
        return "VARBINARY(" + bytes + ")";
    }

    /** The type of bytes of any length. */
    default String bytesType() {
        return "BLOB";
    }

    /** The options of a table, which stand after its columns. */
    default String tableOptions() {
        return "";
    }

    /** The placeholder of a document's JSON that is bound as a text. */
    default String jsonPlaceholder() {
        return "?";
    }

    /** The column {@code doc} as a text. */
    default String jsonColumn() {
        return "doc";
    }

    /** An insert that leaves a row which is there, from {@code INTO} on. */
    String insertIfAbsent(String table, String columns, int count, String keyColumns);

    /** The insertion of one row with a parameter for each column. */
    static String insert(String verb, String table, String columns, int count) {
        return "%s INTO %s (%s) VALUES (?%s)"
                .formatted(verb, table, columns, ", ?".repeat(count - 1));
    }

    /** The lock of a writer of documents on the catalog's row of a collection, as a query or an update. */
    String writerLock();

    /** The lock of a declarer of an index on the catalog's row of a collection. */
    String exclusiveLock();

    /** Returns whether a statement failed because the row is there. */
    boolean duplicate(SQLException failure);

    /** Returns whether a transaction failed because of another, and may be tried again. */
    default boolean transientFailure(SQLException failure) {
        String state = failure.getSQLState();
        return state != null && state.startsWith("40");
    }

    /** The isolation in which all statements of a transaction see the database as its first one did. */
    default int snapshotIsolation() {
        return Connection.TRANSACTION_REPEATABLE_READ;
    }

    /**
     * A first statement of a transaction that has all others see one state, where that takes fewer messages to the
     * database than the isolation of the connection does; null where it does not.
     */
    default @Nullable String snapshotStatement() {
        return null;
    }

    /** Returns whether it finds as well by an index with the numbers of the catalog beside the rows as without. */
    default boolean findsFewFast() {
        return false;
    }

    /** Returns whether another statement of a transaction can run while one streams. */
    default boolean interleaves() {
        return true;
    }

    /** Returns whether the driver streams row by row only, which {@link Integer#MIN_VALUE} as fetch size asks for. */
    default boolean readsRowByRow() {
        return false;
    }

    /** The statements that make an index of the database's own; none if the table of texts is the index. */
    default List<String> indexStatements(TextIndex index) {
        return List.of();
    }

    /** Returns whether the table of texts is the index. */
    default boolean textTable() {
        return true;
    }

    SqlCondition exists(List<String> path);

    SqlCondition equal(List<String> path, String text);

    SqlCondition startsWith(List<String> path, String prefix);

    SqlCondition contains(List<String> path, String part);

    /** {@link #equal} where there is an index. */
    default SqlCondition equalByIndex(TextIndex index, String text, SqlCondition scan) {
        return index.equal(text, scan);
    }

    /** {@link #startsWith} where there is an index. */
    default SqlCondition startsWithByIndex(TextIndex index, String prefix, SqlCondition scan) {
        return index.startsWith(prefix, scan);
    }
}
