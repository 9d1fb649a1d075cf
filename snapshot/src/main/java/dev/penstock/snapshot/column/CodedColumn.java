package dev.penstock.snapshot.column;

import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import dev.penstock.query.Predicate.Comparator;
import dev.penstock.snapshot.memory.ByteStrings;
import dev.penstock.snapshot.memory.Longs;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

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
        implements StoredColumn, OrderedCodes {
    @Override
    public int rows() {
        return codes.size();
    }

    @Override
    public boolean hasNulls() {
        return nulls > 0;
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

    @Override
    public long cellOf(long code) {
        return code;
    }

    @Override
    public CodeRange codes(Comparator comparator, Object value) {
        return CodePosition.of(this, value).range(comparator, values);
    }

    @Override
    public CodeRange startingWith(byte[] prefix) {
        return dictionary().startingWith(prefix);
    }

    private Dictionary dictionary() {
        if (encoding instanceof CodeEncoding.Listed(Dictionary listed)) {
            return listed;
        }
        throw new IllegalStateException("column " + column.name() + " has no list of values");
    }

    /**
     * Returns the codes of all values that equal one of another column, which has the same type or is a whole number
     * too; null where only the value itself tells.
     *
     * @param code the value's in the other column
     */
    public @Nullable CodeRange codesOf(CodedColumn other, long code) {
        return switch (encoding) {
            case CodeEncoding.Listed(Dictionary own)
                    when other.encoding instanceof CodeEncoding.Listed(Dictionary listed) -> {
                byte[] key = listed.keys().get((int) code);
                yield own.equalTo(key, KeyCodec.commonLength(other.column.type(), key));
            }
            case CodeEncoding.Whole own when other.encoding instanceof CodeEncoding.Whole theirs ->
                    own.codeOf(theirs, code).intersect(values);
            case CodeEncoding.Listed _,
                    CodeEncoding.Whole _,
                    CodeEncoding.Scaled _,
                    CodeEncoding.Floating _ ->
                    null;
        };
    }

    /** Returns whether all codes from the least to the greatest stand for the same as those of another column. */
    public boolean hasCodesOf(CodedColumn other) {
        return encoding.equals(other.encoding)
                && codes.base() == other.codes.base()
                && hasNulls() == other.hasNulls()
                && all().equals(other.all());
    }

    @Override
    public boolean hasEquals() {
        return column.type() == ColumnType.DECIMAL && encoding instanceof CodeEncoding.Listed;
    }

    /** Returns the key of a decimal ends with its scale, which equal ones may differ in. */
    @Override
    public boolean areEqual(long one, long next) {
        ByteStrings keys = dictionary().keys();
        byte[] a = keys.get((int) one);
        byte[] b = keys.get((int) next);
        return a.length == b.length
                && Arrays.equals(a, 0, a.length - Integer.BYTES, b, 0, b.length - Integer.BYTES);
    }
}
