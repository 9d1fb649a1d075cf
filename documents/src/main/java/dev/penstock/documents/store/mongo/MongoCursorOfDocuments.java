package dev.penstock.documents.store.mongo;

import com.mongodb.MongoException;
import com.mongodb.client.MongoCursor;
import dev.penstock.documents.DocumentException;
import dev.penstock.documents.DocumentException.Kind;
import dev.penstock.documents.store.DocumentBuffer;
import dev.penstock.documents.store.DocumentCursor;
import dev.penstock.documents.store.FilterMatch;
import dev.penstock.documents.store.PieceInput;
import dev.penstock.documents.store.StoreFilter;
import dev.penstock.documents.store.StoredDocument;
import java.io.IOException;
import java.io.InputStream;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * A cursor over what MongoDB finds. The document in pieces at which it stands is held here until it moves, for the
 * thread that moves it.
 */
final class MongoCursorOfDocuments implements DocumentCursor {
    private static final int MOST_TRIES = 10;

    private final MongoDocumentStore store;
    private final MongoCursor<BsonDocument> rows;
    private final StoreFilter filter;
    private final boolean exact;
    private volatile @Nullable Thread reader;
    private volatile @Nullable DocumentBuffer held;
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
        reader = Thread.currentThread();
        try {
            while (!closed && rows.hasNext()) {
                release();
                BsonDocument row = rows.next();
                boolean inParts = row.getInt32("parts").getValue() > 0;
                StoredDocument document =
                        inParts ? hold(row.getString("_id").getValue()) : store.read(row);
                boolean decided = exact && !inParts;
                if (document != null && (decided || FilterMatch.matches(filter, document.json()))) {
                    return document;
                }
            }
        } catch (MongoException e) {
            DocumentException failure = store.failed("find documents", e);
            try {
                close();
            } catch (RuntimeException suppressed) {
                failure.addSuppressed(suppressed);
            }
            throw failure;
        }
        close();
        return null;
    }

    /**
     * Reads a document in pieces whole, as it is now, since a writer may remove the pieces of the version that was
     * found; null if the document is gone.
     */
    private @Nullable StoredDocument hold(String id) {
        for (int tried = 1; ; tried++) {
            StoredDocument document = store.get(id);
            if (document == null) {
                return null;
            }
            var buffer = new DocumentBuffer();
            held = buffer;
            try (InputStream in = document.json()) {
                in.transferTo(buffer);
                return new StoredDocument(
                        id,
                        document.version(),
                        () -> readsHere(buffer) ? buffer.open() : document.json());
            } catch (PieceInput.GoneException e) {
                release();
                if (tried == MOST_TRIES) {
                    throw new DocumentException(
                            Kind.CONFLICT,
                            "the document %s can't be found: others changed it %d times meanwhile; try again later"
                                    .formatted(id, tried),
                            e);
                }
            } catch (IOException e) {
                release();
                throw new DocumentException(
                        Kind.INPUT_OUTPUT,
                        "the document %s can't be held in a temporary file: %s; java.io.tmpdir needs room for it"
                                .formatted(id, e.getMessage()),
                        e);
            }
        }
    }

    private boolean readsHere(DocumentBuffer buffer) {
        return Thread.currentThread().equals(reader) && buffer.equals(held);
    }

    private void release() {
        DocumentBuffer buffer = held;
        held = null;
        if (buffer == null) {
            return;
        }
        try {
            buffer.close();
        } catch (IOException e) {
            throw new DocumentException(
                    Kind.INPUT_OUTPUT, "the temporary file of a document can't be deleted", e);
        }
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            try (rows) {
                release();
            }
        }
    }
}
