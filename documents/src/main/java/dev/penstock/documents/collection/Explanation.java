package dev.penstock.documents.collection;

import java.util.List;

/**
 * An explanation of a search: what the database does, and what is left for afterwards.
 *
 * @param store the name of the database
 * @param exact whether the database finds exactly the documents; otherwise it finds more, which are filtered afterwards
 * @param condition what the database is asked, in its own language, without the values that are bound
 * @param afterwards what is filtered afterwards and why; empty if nothing is
 * @param indexes the paths whose index serves; empty if every document is looked at
 */
public record Explanation(
        String store, boolean exact, String condition, String afterwards, List<String> indexes) {
    public Explanation {
        indexes = List.copyOf(indexes);
    }

    /** Returns the explanation for people to read, of several lines. */
    @Override
    public String toString() {
        return store
                + " is asked for "
                + (exact ? "exactly these documents" : "these documents and others")
                + ": "
                + condition
                + (exact ? "" : "\nFiltered afterwards: " + afterwards)
                + (indexes.isEmpty()
                        ? "\nNo index serves: every document is looked at"
                        : "\nIndexes that serve: " + String.join(", ", indexes));
    }
}
