package dev.penstock.documents.collection;

import dev.penstock.documents.store.PathSummary;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The paths of a collection's documents, as its catalog has them. An entry of the catalog is the summary of a document
 * that brought something new; all entries together are the summary of the collection. Thread-safe.
 */
final class CollectionPaths {
    /** The most summaries that bring nothing new and are remembered. */
    private static final int MOST_REMEMBERED = 1_000;

    /** Longer entries are not remembered but looked at again. */
    private static final int LONGEST_REMEMBERED = 10_000;

    private final ReentrantLock lock = new ReentrantLock();
    private final PathSummary committed = new PathSummary();
    private final Set<String> entries = new HashSet<>();

    /** A copy of what is committed, which nobody changes; null until it is asked for. */
    private @Nullable PathSummary snapshot;

    private final Map<String, Boolean> covered =
            new LinkedHashMap<>() {
                private static final long serialVersionUID = 1;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
                    return size() > MOST_REMEMBERED;
                }
            };

    /** The entries that the catalog lacks for a document. */
    List<String> missing(PathSummary document) {
        String entry = document.toJson();
        lock.lock();
        try {
            if (covered.containsKey(entry)) {
                return List.of();
            }
            if (committed.copy().merge(document)) {
                return List.of(entry);
            }
            if (entry.length() <= LONGEST_REMEMBERED) {
                covered.put(entry, true);
            }
            return List.of();
        } finally {
            lock.unlock();
        }
    }

    /** Notes entries that are in the catalog now. */
    void written(List<String> written) {
        lock.lock();
        try {
            merge(written);
        } finally {
            lock.unlock();
        }
    }

    /** A summary of at least the documents that have these entries. */
    PathSummary with(Set<String> all) {
        lock.lock();
        try {
            merge(all);
            PathSummary current = snapshot;
            if (current == null) {
                current = committed.copy();
                snapshot = current;
            }
            return current;
        } finally {
            lock.unlock();
        }
    }

    private void merge(Iterable<String> all) {
        for (String entry : all) {
            if (entries.add(entry)) {
                committed.merge(PathSummary.fromJson(entry));
                snapshot = null;
            }
        }
    }
}
