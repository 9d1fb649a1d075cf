package dev.penstock.documents.store.mongo;

import com.mongodb.MongoException;
import com.mongodb.client.MongoCursor;
import dev.penstock.documents.store.DocumentCursor;
import dev.penstock.documents.store.FilterMatch;
import dev.penstock.documents.store.StoreFilter;
import dev.penstock.documents.store.StoredDocument;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/** A cursor over what MongoDB finds. */
final class MongoCursorOfDocuments implements DocumentCursor {
    private final MongoDocumentStore store;
    private final MongoCursor<BsonDocument> rows;
    private final StoreFilter filter;
    private final boolean exact;
    private boolean closed;

    /**
     * @param exact whether MongoDB has decided about documents that are not in pieces
     */
    MongoCursorOfDocuments(
            MongoDocumentStore store,
            MongoCursor<BsonDocument> rows,
            StoreFilter filter,
            boolean exact) {
        this.store = store;
        this.rows = rows;
        this.filter = filter;
        this.exact = exact;
    }

    @Override
    public @Nullable StoredDocument next() {
        try {
            while (!closed && rows.hasNext()) {
                BsonDocument row = rows.next();
                StoredDocument document = store.read(row);
                boolean decided = exact && row.getInt32("parts").getValue() == 0;
                if (decided || FilterMatch.matches(filter, document.json())) {
                    return document;
                }
            }
        } catch (MongoException e) {
            close();
            throw store.failed("find documents", e);
        }
        close();
        return null;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            rows.close();
        }
    }
}
