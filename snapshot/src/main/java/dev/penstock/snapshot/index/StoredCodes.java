package dev.penstock.snapshot.index;

import static java.util.Objects.requireNonNull;

import dev.penstock.query.ColumnType;
import dev.penstock.query.Predicate.Comparator;
import dev.penstock.snapshot.column.CodeEncoding;
import dev.penstock.snapshot.column.CodeRange;
import dev.penstock.snapshot.column.CodedColumn;
import dev.penstock.snapshot.column.Dictionary;
import dev.penstock.snapshot.memory.ByteStrings;
import dev.penstock.snapshot.memory.Longs;

/**
 * The codes that a column is stored as.
 *
 * @param column the column
 */
record StoredCodes(CodedColumn column) implements OrderedCodes {
    StoredCodes {
        requireNonNull(column);
    }

    @Override
    public Longs codes() {
        return column.codes();
    }

    @Override
    public CodeRange values() {
        return column.values();
    }

    @Override
    public int nulls() {
        return column.nulls();
    }

    @Override
    public long cell(long code) {
        return code;
    }

    @Override
    public CodeRange codes(Comparator comparator, Object value) {
        return column.codes(comparator, value);
    }

    @Override
    public CodeRange startingWith(byte[] prefix) {
        return dictionary().startingWith(prefix);
    }

    private Dictionary dictionary() {
        if (column.encoding() instanceof CodeEncoding.Listed(Dictionary values)) {
            return values;
        }
        throw new IllegalStateException(
                "column " + column.column().name() + " has no list of values");
    }

    @Override
    public boolean hasEquals() {
        return column.column().type() == ColumnType.DECIMAL
                && column.encoding() instanceof CodeEncoding.Listed;
    }

    /** The key of a decimal ends with its scale, which equal ones may differ in. */
    @Override
    public boolean areEqual(long one, long next) {
        ByteStrings keys = dictionary().keys();
        byte[] a = new byte[keys.length((int) one)];
        byte[] b = new byte[keys.length((int) next)];
        keys.copy((int) one, a, 0);
        keys.copy((int) next, b, 0);
        return a.length == b.length
                && java.util.Arrays.equals(
                        a, 0, a.length - Integer.BYTES, b, 0, b.length - Integer.BYTES);
    }
}
