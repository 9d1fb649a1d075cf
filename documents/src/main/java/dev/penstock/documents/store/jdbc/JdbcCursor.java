package dev.penstock.documents.store.jdbc;

import dev.penstock.documents.store.DocumentCursor;
import dev.penstock.documents.store.FilterMatch;
import dev.penstock.documents.store.StoreFilter;
import dev.penstock.documents.store.StoredDocument;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A cursor over rows of {@code id, version, parts, doc}, in a transaction of its own. */
final class JdbcCursor implements DocumentCursor {
    private final JdbcDocumentStore store;
    private final JdbcTransaction transaction;
    private final PreparedStatement statement;
    private final ResultSet rows;

    /** The condition that every document is asked again; null if the store has decided. */
    private final @Nullable StoreFilter filter;

    private final StoreFilter whole;
    private boolean closed;

    /**
     * @param exact whether the query has decided about documents in one value
     */
    JdbcCursor(
            JdbcDocumentStore store,
            JdbcTransaction transaction,
            String sql,
            List<Object> values,
            StoreFilter filter,
            boolean exact)
            throws SQLException {
        this.store = store;
        this.transaction = transaction;
        this.filter = exact ? null : filter;
        whole = filter;
        statement = transaction.prepare(sql, values);
        try {
            statement.setFetchSize(store.dialect().fetchSize());
            rows = statement.executeQuery();
        } catch (SQLException | RuntimeException e) {
            statement.close();
            throw e;
        }
    }

    @Override
    public @Nullable StoredDocument next() {
        if (closed) {
            return null;
        }
        try {
            while (rows.next()) {
                StoredDocument document = store.read(rows);
                StoreFilter asked = rows.getInt(3) > 0 ? whole : filter;
                if (asked == null || FilterMatch.matches(asked, document.json())) {
                    return document;
                }
            }
        } catch (SQLException e) {
            close();
            throw store.failed("find documents", e);
        }
        close();
        return null;
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        try (transaction;
                statement;
                rows) {
            return;
        } catch (SQLException e) {
            throw store.failed("close a cursor", e);
        }
    }
}
