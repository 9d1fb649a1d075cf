package dev.penstock.documents.store;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
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

    /** Tells whether {@link #insert} is there, in one transaction. */
    default boolean insertsTogether() {
        return false;
    }

    /**
     * Writes documents that are not there yet, in one transaction: none is written if one can't be.
     *
     * @param documents so many as memory and a transaction should hold
     * @throws UnsupportedOperationException if the store has no transactions
     */
    default void insert(List<NewDocument> documents) {
        throw new UnsupportedOperationException("this store writes documents one by one");
    }

    /**
     * A document on its way to a store.
     *
     * @param entries entries of the path summary that it needs
     */
    record NewDocument(String id, DocumentBuffer json, Collection<String> entries) {}

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

    /** A condition that is made from the entries of the path summary, if it asks for them. */
    @FunctionalInterface
    interface Question {
        StoreFilter on(Supplier<Set<String>> entries);
    }

    /**
     * Finds the documents that fulfil a condition, by the order of the bytes of their ids.
     *
     * @param question asked once or several times; the entries that it gets are those of all documents that are found,
     *     and maybe more, where {@link #findsInSnapshot} holds, and otherwise those of all documents at the beginning
     */
    DocumentCursor find(Question question);

    /** Finds the documents that fulfil a condition, by the order of the bytes of their ids. */
    default DocumentCursor find(StoreFilter filter) {
        return find(_ -> filter);
    }

    /** Tells whether a cursor gives the documents of one moment, whatever is written while it is read. */
    boolean findsInSnapshot();

    /** Declares an index on the texts at a path, and fills it. Does nothing if it is there. */
    void index(List<String> path);

    /** Tells what of a condition the store decides itself. */
    StoreExplanation explain(StoreFilter filter);

    /** The entries of the path summary that documents have brought so far. */
    Set<String> entries();
}
