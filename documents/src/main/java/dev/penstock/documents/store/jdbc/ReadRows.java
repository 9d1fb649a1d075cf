package dev.penstock.documents.store.jdbc;

import dev.penstock.documents.store.DocumentCursor;
import dev.penstock.documents.store.FilterMatch;
import dev.penstock.documents.store.StoreFilter;
import dev.penstock.documents.store.StoredDocument;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A cursor over rows that have been read, which holds no connection. */
final class ReadRows implements DocumentCursor {
    private final JdbcDocumentStore store;
    private final Iterator<DocumentRow> rows;
    private final StoreFilter filter;
    private final boolean exact;

    /**
     * @param rows documents in one value
     * @param exact whether the query has decided about them
     */
    ReadRows(JdbcDocumentStore store, List<DocumentRow> rows, StoreFilter filter, boolean exact) {
        this.store = store;
        this.rows = rows.iterator();
        this.filter = filter;
        this.exact = exact;
    }

    @Override
    public @Nullable StoredDocument next() {
        while (rows.hasNext()) {
            StoredDocument document = store.document(rows.next(), () -> null);
            if (exact || FilterMatch.matches(filter, document.json())) {
                return document;
            }
        }
        return null;
    }

    @Override
    public void close() {
        while (rows.hasNext()) {
            rows.next();
        }
    }
}
