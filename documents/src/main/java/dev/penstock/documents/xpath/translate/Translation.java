package dev.penstock.documents.xpath.translate;

import dev.penstock.documents.store.StoreFilter;
import java.util.Objects;

/**
 * A filter of a store that finds every document on which an expression is true.
 *
 * @param exact whether it finds no other documents; otherwise the expression is to be evaluated on what it finds
 * @param explanation why the filter is not exact, for people to read
 */
public record Translation(StoreFilter filter, boolean exact, String explanation) {
    public Translation {
        Objects.requireNonNull(filter);
        Objects.requireNonNull(explanation);
    }
}
