package dev.penstock.snapshot.column;

import static java.util.Objects.requireNonNull;

import dev.penstock.query.Column;
import dev.penstock.query.Predicate.Comparator;
import dev.penstock.snapshot.memory.Longs;

/**
 * A column whose cells are codes: whole numbers in the order of the values that they stand for, so that every
 * comparison is one of numbers. NULL, where there is one, is the code below all others. Values that are equal but not
 * the same, such as 1.5 and 1.50, have codes side by side.
 *
 * @param column what it is in the database's schema
 * @param codes a code for each row
 * @param values the least and the greatest code that is not NULL's
 * @param nulls how many NULLs there are
 * @param encoding what the codes stand for
 */
public record CodedColumn(
        Column column, Longs codes, CodeRange values, int nulls, CodeEncoding encoding)
        implements StoredColumn {
    public CodedColumn {
        requireNonNull(column);
        requireNonNull(codes);
        requireNonNull(values);
        requireNonNull(encoding);
    }

    @Override
    public int rows() {
        return codes.size();
    }

    /** The code of NULL; of no meaning where there is none. */
    public long nullCode() {
        return codes.base();
    }

    @Override
    public boolean isNull(int row) {
        return nulls > 0 && codes.get(row) == nullCode();
    }

    @Override
    public long cell(int row) {
        return codes.get(row);
    }

    @Override
    public long bytes() {
        return codes.bytes() + encoding.bytes();
    }

    /**
     * The codes of all values that compare so with this one; NULL's is never among them.
     *
     * @param comparator any but {@code NOT_EQUAL}, which is all but {@code EQUAL}
     * @param value what {@link dev.penstock.query.Values#fit} gave
     */
    public CodeRange codes(Comparator comparator, Object value) {
        CodePosition place = CodePosition.of(this, value);
        return switch (comparator) {
            case EQUAL -> place.equal().intersect(values);
            case LESS -> place.below(values, false);
            case LESS_OR_EQUAL -> place.below(values, true);
            case GREATER -> place.above(values, false);
            case GREATER_OR_EQUAL -> place.above(values, true);
            case NOT_EQUAL -> throw new IllegalArgumentException("NOT_EQUAL is no range of codes");
        };
    }
}
