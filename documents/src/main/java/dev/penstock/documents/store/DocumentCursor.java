package dev.penstock.documents.store;

import org.jspecify.annotations.Nullable;

/**
 * A cursor over the documents that a store finds. It holds a connection until it is closed; it closes itself at its
 * end. Not thread-safe.
 */
public interface DocumentCursor extends AutoCloseable {
    /** Moves to the next document; null at the end. */
    @Nullable StoredDocument next();

    @Override
    void close();
}
