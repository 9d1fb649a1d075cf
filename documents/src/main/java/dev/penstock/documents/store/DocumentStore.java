package dev.penstock.documents.store;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One collection of documents in a store. Every write is one transaction: nothing is written by one that fails.
 * Thread-safe, also among processes that use the same store.
 */
public interface DocumentStore {
    /** The expected version of a document that must not exist yet. */
    long ABSENT = 0;

    /** The expected version of a document that may exist in any version, or not at all. */
    long ANY = -1;

    /** Makes the tables that are missing. */
    void create();

    /**
     * Writes a document, and what the catalog of the collection does not know of its paths.
     *
     * @param expected the version it must have now, {@link #ABSENT} or {@link #ANY}
     * @param entries entries of the path summary that this document needs
     * @return its new version
     * @throws dev.penstock.documents.DocumentException CONFLICT if it is in another version
     */
    long put(String id, DocumentBuffer json, long expected, Collection<String> entries);

    /** Reads a document; null if there is none. */
    @Nullable StoredDocument get(String id);

    /** Returns the version of a document without reading it; null if it is not there. */
    @Nullable Long version(String id);

    /**
     * Deletes a document.
     *
     * @param expected the version it must have now, or {@link #ANY}
     * @return whether it was there
     * @throws dev.penstock.documents.DocumentException CONFLICT if it is in another version
     */
    boolean delete(String id, long expected);

    /** Finds the documents that fulfil a condition, by the order of the bytes of their ids. */
    DocumentCursor find(StoreFilter filter);

    /** Declares an index on the texts at a path, and fills it. Does nothing if it is there. */
    void index(List<String> path);

    /** Tells what of a condition the store decides itself. */
    StoreExplanation explain(StoreFilter filter);

    /** The entries of the path summary that documents have brought so far. */
    Set<String> entries();
}
