package dev.penstock.documents.store.jdbc;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows that a search finds, by their ids: of one query that streams, or of a query a page, between which other
 * statements of the transaction may run. How many rows are in memory at a time follows from how large those before
 * were. Not thread-safe.
 */
final class FoundRows implements AutoCloseable {
    private static final int MOST_ROWS = 100;
    private static final int FIRST_ROWS = 4;
    private static final int CHARACTERS_AHEAD = 1 << 20;

    private final JdbcTransaction transaction;
    private final String sql;
    private final List<Object> values;

    private final Way way;

    /** The rows of a page, or of a fetch. */
    private int ahead = FIRST_ROWS;

    /** The characters of a large row among those before. */
    private long large;

    private PreparedStatement statement;
    private ResultSet rows;
    private int inPage;
    private int pageRows = FIRST_ROWS;
    private String last = "";

    /** The way in which rows come: by one query in fetches or row by row, or by a query a page. */
    private enum Way {
        FETCHES,
        ROW_BY_ROW,
        PAGES
    }

    private FoundRows(JdbcTransaction transaction, String sql, List<Object> values, Way way)
            throws SQLException {
        this.transaction = transaction;
        this.sql = sql;
        this.values = values;
        this.way = way;
        statement = prepare();
        rows = execute(statement);
    }

    /**
     * The rows of one query.
     *
     * @param sql the query without its order
     * @param rowByRow as {@link Dialect#readsRowByRow} has it
     */
    static FoundRows streamed(
            JdbcTransaction transaction, String sql, List<Object> values, boolean rowByRow)
            throws SQLException {
        Way way = rowByRow ? Way.ROW_BY_ROW : Way.FETCHES;
        return new FoundRows(transaction, sql + " ORDER BY id", values, way);
    }

    /**
     * The rows of a query a page.
     *
     * @param sql the query without its order, with a condition to which others can be added
     */
    static FoundRows paged(JdbcTransaction transaction, String sql, List<Object> values)
            throws SQLException {
        String page = sql + " AND id > ? ORDER BY id LIMIT ?";
        return new FoundRows(transaction, page, values, Way.PAGES);
    }

    private PreparedStatement prepare() throws SQLException {
        if (way != Way.PAGES) {
            return transaction.prepare(sql, values);
        }
        var bound = new ArrayList<>(values);
        bound.add(last);
        bound.add(ahead);
        pageRows = ahead;
        return transaction.prepare(sql, bound);
    }

    private ResultSet execute(PreparedStatement prepared) throws SQLException {
        try {
            if (way != Way.PAGES) {
                prepared.setFetchSize(way == Way.ROW_BY_ROW ? Integer.MIN_VALUE : ahead);
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
            if (way != Way.PAGES || inPage < pageRows) {
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
        adapt(row.json());
        return row;
    }

    private void adapt(@Nullable String json) throws SQLException {
        int characters = json == null ? 0 : json.length();
        large = Math.max(characters, large - large / 64);
        int rowsAhead = Math.clamp(CHARACTERS_AHEAD / Math.max(large, 1), 1, MOST_ROWS);
        if (rowsAhead != ahead) {
            ahead = rowsAhead;
            if (way == Way.FETCHES) {
                rows.setFetchSize(rowsAhead);
            }
        }
    }

    @Override
    public void close() throws SQLException {
        PreparedStatement ended = statement;
        try (ended) {
            rows.close();
        }
    }
}
