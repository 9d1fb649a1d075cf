package dev.penstock.documents.store.jdbc;

import dev.penstock.documents.store.DocumentCursor;
import dev.penstock.documents.store.FilterMatch;
import dev.penstock.documents.store.StoreFilter;
import dev.penstock.documents.store.StoredDocument;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A cursor over rows that have been read, which holds no connection. */
final class ReadRows implements DocumentCursor {
    private final JdbcDocumentStore store;
    private final ArrayDeque<DocumentRow> rows;
    private final StoreFilter filter;
    private final boolean exact;

    /**
     * @param rows documents in one value
     * @param exact whether the query has decided about them
     */
    ReadRows(JdbcDocumentStore store, List<DocumentRow> rows, StoreFilter filter, boolean exact) {
        this.store = store;
        this.rows = new ArrayDeque<>(rows);
        this.filter = filter;
        this.exact = exact;
    }

    @Override
    public @Nullable StoredDocument next() {
        for (DocumentRow row = rows.poll(); row != null; row = rows.poll()) {
            StoredDocument document = store.document(row, () -> null);
            if (exact || FilterMatch.matches(filter, document.json())) {
                return document;
            }
        }
        return null;
    }

    @Override
    public void close() {
        rows.clear();
    }
}
