package dev.penstock.snapshot;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.penstock.query.ColumnType;
import dev.penstock.query.Predicate.Comparator;
import dev.penstock.query.Utf8;
import java.util.Arrays;

/**
 * Codes for a column that is stored without: the place of each row's text among the different ones, from 1, and 0 for NULL. This is the index of such a
 * column. Immutable, thread-safe.
 *
 * @param column the column
 * @param codes a rank for each row
 * @param rows the first row of each rank
 */
record TextRanks(TextColumn column, Longs codes, Longs rows) implements Coding {
    TextRanks {
        requireNonNull(column);
        requireNonNull(codes);
        requireNonNull(rows);
    }

    /** Sorts the texts. */
    static TextRanks of(TextColumn column, Memory memory) {
        int size = column.rows();
        TextColumn.Reader one = column.reader();
        TextColumn.Reader other = column.reader();
        try (Memory.Scratch scratch = memory.scratch()) {
            Longs sorted =
                    Permutation.sorted(
                            scratch,
                            size,
                            (a, b) -> {
                                boolean isNull = column.isNull(a);
                                return isNull || column.isNull(b)
                                        ? Boolean.compare(column.isNull(b), isNull)
                                        : compare(one, a, other, b);
                            });
            Longs codes = Longs.allocate(memory, size, 0, size);
            int different = rank(column, sorted, codes, one, other);
            Longs rows = Longs.allocate(memory, different + 1, 0, size);
            for (int i = size - 1; i >= 0; i--) {
                int row = (int) sorted.get(i);
                rows.set(codes.get(row), row);
            }
            return new TextRanks(column, codes, rows);
        }
    }

    private static int compare(TextColumn.Reader one, int a, TextColumn.Reader other, int b) {
        Utf8 key = one.key(a);
        return -other.compare(b, key.array(), key.length());
    }

    /** Gives each row its rank; tells how many there are. */
    private static int rank(
            TextColumn column,
            Longs sorted,
            Longs codes,
            TextColumn.Reader one,
            TextColumn.Reader other) {
        int rank = 0;
        int before = -1;
        for (int i = 0; i < sorted.size(); i++) {
            int row = (int) sorted.get(i);
            if (!column.isNull(row)) {
                boolean same = before >= 0 && compare(one, before, other, row) == 0;
                rank += same ? 0 : 1;
                before = row;
                codes.set(row, rank);
            }
        }
        return rank;
    }

    @Override
    public Codes values() {
        return Codes.of(1, rows.size() - 1L);
    }

    @Override
    public int nulls() {
        return column.nulls();
    }

    @Override
    public long nullCode() {
        return 0;
    }

    @Override
    public long cell(long code) {
        return rows.get(code);
    }

    @Override
    public Codes codes(Comparator comparator, Object value) {
        byte[] key =
                column.column().type() == ColumnType.BINARY
                        ? (byte[]) value
                        : value.toString().getBytes(UTF_8);
        long last = rows.size() - 1L;
        long first = ceiling(key);
        boolean found = first <= last && compare(first, key) == 0;
        return switch (comparator) {
            case EQUAL -> found ? Codes.of(first, first) : Codes.NONE;
            case LESS -> Codes.of(1, first - 1);
            case LESS_OR_EQUAL -> Codes.of(1, found ? first : first - 1);
            case GREATER -> Codes.of(found ? first + 1 : first, last);
            case GREATER_OR_EQUAL -> Codes.of(first, last);
            case NOT_EQUAL -> throw new IllegalArgumentException("NOT_EQUAL is no range of codes");
        };
    }

    @Override
    public Codes startingWith(byte[] prefix) {
        byte[] after = Arrays.copyOf(prefix, prefix.length);
        int length = after.length;
        while (length > 0 && ++after[length - 1] == 0) {
            length--;
        }
        long end = length == 0 ? rows.size() : ceiling(Arrays.copyOf(after, length));
        return Codes.of(ceiling(prefix), end - 1);
    }

    /** The least rank of a text that is not less. */
    private long ceiling(byte[] key) {
        long low = 1;
        long high = rows.size();
        while (low < high) {
            long middle = (low + high) >>> 1;
            if (compare(middle, key) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private int compare(long rank, byte[] key) {
        return column.reader().compare((int) rows.get(rank), key, key.length);
    }

    @Override
    public boolean hasEquals() {
        return false;
    }

    @Override
    public boolean areEqual(long one, long next) {
        return false;
    }
}
