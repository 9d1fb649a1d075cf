package dev.penstock.documents.store.jdbc;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows that a search finds, by their ids: of one query that streams, or of a query a page, between which other
 * statements of the transaction may run. Not thread-safe.
 */
final class FoundRows implements AutoCloseable {
    private static final int PAGE_ROWS = 20;

    private final JdbcTransaction transaction;
    private final String sql;
    private final List<Object> values;

    /** The fetch size of the one query; null if there are pages. */
    private final @Nullable Integer fetchSize;

    private PreparedStatement statement;
    private ResultSet rows;
    private int inPage;
    private String last = "";

    private FoundRows(
            JdbcTransaction transaction,
            String sql,
            List<Object> values,
            @Nullable Integer fetchSize)
            throws SQLException {
        this.transaction = transaction;
        this.sql = sql;
        this.values = values;
        this.fetchSize = fetchSize;
        statement = prepare();
        rows = execute(statement);
    }

    /**
     * The rows of one query.
     *
     * @param sql the query without its order
     */
    static FoundRows streamed(
            JdbcTransaction transaction, String sql, List<Object> values, int fetchSize)
            throws SQLException {
        return new FoundRows(transaction, sql + " ORDER BY id", values, fetchSize);
    }

    /**
     * The rows of a query a page.
     *
     * @param sql the query without its order, with a condition to which others can be added
     */
    static FoundRows paged(JdbcTransaction transaction, String sql, List<Object> values)
            throws SQLException {
        String page = sql + " AND id > ? ORDER BY id LIMIT " + PAGE_ROWS;
        return new FoundRows(transaction, page, values, null);
    }

    private PreparedStatement prepare() throws SQLException {
        if (fetchSize != null) {
            return transaction.prepare(sql, values);
        }
        var bound = new ArrayList<>(values);
        bound.add(last);
        return transaction.prepare(sql, bound);
    }

    private ResultSet execute(PreparedStatement prepared) throws SQLException {
        try {
            if (fetchSize != null) {
                prepared.setFetchSize(fetchSize);
            }
            return prepared.executeQuery();
        } catch (SQLException | RuntimeException e) {
            prepared.close();
            throw e;
        }
    }

    /** Moves to the next row; null at the end. */
    @Nullable DocumentRow next() throws SQLException {
        if (!rows.next()) {
            if (fetchSize != null || inPage < PAGE_ROWS) {
                return null;
            }
            close();
            statement = prepare();
            rows = execute(statement);
            inPage = 0;
            if (!rows.next()) {
                return null;
            }
        }
        inPage++;
        DocumentRow row = DocumentRow.read(rows);
        last = row.id();
        return row;
    }

    @Override
    public void close() throws SQLException {
        PreparedStatement ended = statement;
        try (ended) {
            rows.close();
        }
    }
}
