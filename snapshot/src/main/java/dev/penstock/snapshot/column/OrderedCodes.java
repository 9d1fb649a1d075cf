package dev.penstock.snapshot.column;

import dev.penstock.query.Predicate.Comparator;
import dev.penstock.snapshot.memory.Longs;

/**
 * Codes of a column's cells: whole numbers in the order of the values, so that comparing, sorting and grouping are done
 * with numbers. NULL is the code below all others. Immutable, thread-safe.
 */
public interface OrderedCodes {
    /** Returns a code for each row. */
    Longs codes();

    /** Returns the least and the greatest code that is not NULL's. */
    CodeRange values();

    /** Returns how many NULLs there are. */
    int nulls();

    /** Returns what a {@link CellReader} of the column reads a value of this code by. */
    long cellOf(long code);

    /**
     * Returns the codes of all values that compare so with what {@link dev.penstock.query.Values#fit} gave; NULL's is
     * never among them.
     *
     * @param comparator any but {@code NOT_EQUAL}, which is all but {@code EQUAL}
     */
    CodeRange codes(Comparator comparator, Object value);

    /** Returns the codes of all texts that begin with these bytes. */
    CodeRange startingWith(byte[] prefix);

    /** Returns whether values that are equal may have different codes, such as 1.5 and 1.50. */
    default boolean hasEquals() {
        return false;
    }

    /** Returns whether two neighbouring codes stand for equal values. */
    default boolean areEqual(long one, long next) {
        return false;
    }

    default boolean hasNulls() {
        return nulls() > 0;
    }

    /** Returns the code of NULL; of no meaning where there is none. */
    default long nullCode() {
        return codes().base();
    }

    /** Returns the range of all codes, that of NULL included where there is one. */
    default CodeRange all() {
        if (!hasNulls()) {
            return values();
        }
        return CodeRange.of(nullCode(), values().isEmpty() ? nullCode() : values().greatest());
    }

    /**
     * Returns how many codes there are from the least, or NULL's, to the greatest; less than 1 for more than a long
     * has.
     */
    default long span() {
        return values().isEmpty() ? 1 : values().greatest() - codes().base() + 1;
    }
}
