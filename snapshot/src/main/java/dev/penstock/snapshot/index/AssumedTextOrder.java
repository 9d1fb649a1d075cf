package dev.penstock.snapshot.index;

import dev.penstock.query.Predicate.Comparator;
import dev.penstock.snapshot.column.CodeRange;
import dev.penstock.snapshot.column.OrderedCodes;
import dev.penstock.snapshot.column.TextColumn;
import dev.penstock.snapshot.memory.Longs;
import java.lang.foreign.MemorySegment;

/**
 * A stand-in for the order of a column's texts in an explanation, where that is not built: as if all texts were
 * different, with a guess of how many compare so. No row is read by it.
 *
 * @param column the column
 */
record AssumedTextOrder(TextColumn column) implements OrderedCodes {
    /** One in so many rows is taken to be in a range, or to begin with a text. */
    private static final int SHARE = 4;

    @Override
    public Longs codes() {
        return new Longs(MemorySegment.ofArray(new byte[Long.BYTES]), 0, 0, column.rows());
    }

    @Override
    public CodeRange values() {
        return CodeRange.of(1, Math.max(1, column.rows() - column.nulls()));
    }

    @Override
    public int nulls() {
        return column.nulls();
    }

    @Override
    public long cellOf(long code) {
        throw new IllegalStateException("a cell is read by an order that is not there");
    }

    @Override
    public CodeRange codes(Comparator comparator, Object value) {
        return comparator == Comparator.EQUAL ? CodeRange.of(1, 1) : some();
    }

    @Override
    public CodeRange startingWith(byte[] prefix) {
        return some();
    }

    private CodeRange some() {
        return CodeRange.of(1, 1 + values().greatest() / SHARE);
    }
}
