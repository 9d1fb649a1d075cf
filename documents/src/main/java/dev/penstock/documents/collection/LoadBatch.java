package dev.penstock.documents.collection;

import dev.penstock.documents.DocumentException;
import dev.penstock.documents.store.DocumentBuffer;
import dev.penstock.documents.store.DocumentStore;
import dev.penstock.documents.store.DocumentStore.NewDocument;
import dev.penstock.documents.store.PathSummary;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Documents that are loaded, on their way to a store, which writes some at a time in one transaction if it has them.
 * If that fails, they are written one by one: those before the one that fails stay. Not thread-safe.
 */
final class LoadBatch {
    /** The most characters of XML of a document that waits for others. */
    static final int MOST_CHARACTERS = 32_768;

    private static final int MOST_DOCUMENTS = 200;
    private static final long MOST_BYTES = 1 << 20;

    private final DocumentStore store;
    private final CollectionPaths paths;
    private final Consumer<String> stored;
    private List<NewDocument> waiting = new ArrayList<>();
    private long bytes;

    /** The paths that the waiting documents bring to the catalog. */
    private PathSummary brought = new PathSummary();

    /**
     * @param stored gets the id of each document once it is stored
     */
    LoadBatch(DocumentStore store, CollectionPaths paths, Consumer<String> stored) {
        this.store = store;
        this.paths = paths;
        this.stored = stored;
    }

    void add(String id, DocumentBuffer json, PathSummary summary) {
        List<String> missing = paths.missing(summary);
        // What another that is written before it brings is not missing.
        boolean brings = !missing.isEmpty() && brought.merge(summary);
        waiting.add(new NewDocument(id, json, brings ? missing : List.of()));
        bytes += json.size();
        if (waiting.size() >= MOST_DOCUMENTS || bytes >= MOST_BYTES) {
            flush();
        }
    }

    /** Writes what waits. */
    void flush() {
        List<NewDocument> now = waiting;
        waiting = new ArrayList<>();
        bytes = 0;
        brought = new PathSummary();
        if (now.isEmpty()) {
            return;
        }
        if (!store.insertsTogether()) {
            writeEach(now);
            return;
        }
        try {
            store.insert(now);
        } catch (DocumentException e) {
            writeAfter(e, now);
            return;
        }
        now.forEach(this::written);
    }

    /** Writes one by one what could not be written together. */
    private void writeAfter(DocumentException failure, List<NewDocument> documents) {
        try {
            writeEach(documents);
        } catch (DocumentException again) {
            if (again.kind() == DocumentException.Kind.CONFLICT) {
                // Nobody else has these ids: what was written together is there though the store
                // did not say so.
                failure.addSuppressed(again);
                throw failure;
            }
            again.addSuppressed(failure);
            throw again;
        }
    }

    private void writeEach(List<NewDocument> documents) {
        for (NewDocument each : documents) {
            store.put(each.id(), each.json(), DocumentStore.ABSENT, each.entries());
            written(each);
        }
    }

    private void written(NewDocument document) {
        paths.written(List.copyOf(document.entries()));
        stored.accept(document.id());
    }
}
