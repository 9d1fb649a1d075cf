package dev.penstock.documents.store.jdbc;

import dev.penstock.documents.store.DocumentCursor;
import dev.penstock.documents.store.FilterMatch;
import dev.penstock.documents.store.StoreFilter;
import dev.penstock.documents.store.StoredDocument;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * A cursor over rows, in a transaction of its own that sees one state of the database. Pieces of documents are read in
 * it too, by the thread that moves the cursor, until it is closed.
 */
final class JdbcCursor implements DocumentCursor {
    private final JdbcDocumentStore store;
    private final JdbcTransaction transaction;
    private final FoundRows rows;
    private final StoreFilter filter;
    private final boolean exact;
    private volatile @Nullable Thread reader;
    private volatile boolean closed;

    /**
     * @param exact whether the query has decided about documents in one value
     */
    JdbcCursor(
            JdbcDocumentStore store,
            JdbcTransaction transaction,
            FoundRows rows,
            StoreFilter filter,
            boolean exact) {
        this.store = store;
        this.transaction = transaction;
        this.rows = rows;
        this.filter = filter;
        this.exact = exact;
    }

    /** The transaction for a statement of this thread; null if it is not to use it. */
    private @Nullable JdbcTransaction shared() {
        return Thread.currentThread().equals(reader) && !closed ? transaction : null;
    }

    @Override
    public @Nullable StoredDocument next() {
        if (closed) {
            return null;
        }
        reader = Thread.currentThread();
        try {
            for (DocumentRow row = rows.next(); row != null; row = rows.next()) {
                StoredDocument document = store.document(row, this::shared);
                boolean decided = exact && row.parts() == 0;
                if (decided || FilterMatch.matches(filter, document.json())) {
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
                rows) {
            return;
        } catch (SQLException e) {
            throw store.failed("close a cursor", e);
        }
    }
}
