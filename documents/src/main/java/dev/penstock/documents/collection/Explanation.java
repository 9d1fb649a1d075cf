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
 * @param unused the paths in the expression that have an index which does not serve: it serves equality with a text, in
 *     some databases also beginnings, and where there are alternatives, only if each of them has one
 */
public record Explanation(
        String store,
        boolean exact,
        String condition,
        String afterwards,
        List<String> indexes,
        List<String> unused) {
    public Explanation {
        indexes = List.copyOf(indexes);
        unused = List.copyOf(unused);
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
                        : "\nIndexes that serve: " + String.join(", ", indexes))
                + (unused.isEmpty()
                        ? ""
                        : "\nIndexes that do not serve this: " + String.join(", ", unused));
    }
}
