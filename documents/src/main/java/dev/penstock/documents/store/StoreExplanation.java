package dev.penstock.documents.store;

import java.util.List;

/**
 * An explanation of what a store decides of a condition.
 *
 * @param store its name
 * @param exact whether it decides the whole condition; otherwise it finds more, which is filtered afterwards
 * @param condition the condition in the store's language, without bound values
 * @param indexes the declared paths whose index serves; empty if every document is looked at
 */
public record StoreExplanation(
        String store, boolean exact, String condition, List<List<String>> indexes) {
    public StoreExplanation {
        indexes = List.copyOf(indexes);
    }
}
