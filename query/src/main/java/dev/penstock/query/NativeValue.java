package dev.penstock.query;

import static java.util.Objects.requireNonNull;

/**
 * A value of a column's own type in the database, by its text, to be compared as the database compares that type: a
 * label of an enum, an interval, an address, or a value that the Java type of the column can't hold, such as {@code
 * infinity} or {@code NaN}. It stands in a {@link Predicate.Comparison} or {@link Predicate.In} where otherwise a value
 * of the Java type does. Only the database answers such a plan: what the text means, and what its order is, no other
 * engine knows. A text that is no value of the type fails with {@link QueryException.Kind#INVALID_PLAN}.
 *
 * @param text as {@link Cursor#text} gives it, or as else the database reads it
 */
public record NativeValue(String text) {
    public NativeValue {
        requireNonNull(text);
    }
}
