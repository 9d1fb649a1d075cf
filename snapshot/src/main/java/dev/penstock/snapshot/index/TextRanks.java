package dev.penstock.snapshot.index;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.penstock.query.ColumnType;
import dev.penstock.query.Predicate.Comparator;
import dev.penstock.query.Utf8;
import dev.penstock.snapshot.column.CodePosition;
import dev.penstock.snapshot.column.CodeRange;
import dev.penstock.snapshot.column.KeyBytes;
import dev.penstock.snapshot.column.OrderedCodes;
import dev.penstock.snapshot.column.TextColumn;
import dev.penstock.snapshot.memory.BinarySearch;
import dev.penstock.snapshot.memory.Longs;
import dev.penstock.snapshot.memory.Memory;
import dev.penstock.snapshot.memory.Permutation;

/**
 * Codes for a column that is stored without: the place of each row's text among the different ones, from 1, and 0 for
 * NULL. This is the index of such a column. Immutable, thread-safe.
 *
 * @param column the column
 * @param codes a rank for each row
 * @param rows the first row of each rank
 * @param heads the first eight bytes of every 16th text from the first rank on, as {@link #head} has them
 */
record TextRanks(TextColumn column, Longs codes, Longs rows, Longs heads) implements OrderedCodes {
    private static final int HEAD_BITS = 4;

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
            return new TextRanks(column, codes, rows, heads(memory, rows, one));
        }
    }

    private static Longs heads(Memory memory, Longs rows, TextColumn.Reader reader) {
        int size = ((rows.size() - 2) >> HEAD_BITS) + 1;
        Longs heads = Longs.allocate(memory, size, Long.MIN_VALUE, Long.MAX_VALUE);
        for (int i = 0; i < size; i++) {
            Utf8 key = reader.key((int) rows.get(1 + ((long) i << HEAD_BITS)));
            heads.set(i, head(key.array(), key.length()));
        }
        return heads;
    }

    /** Returns the first eight bytes, zeros behind a shorter text, as a number: a text of a lesser head is less. */
    private static long head(byte[] key, int length) {
        long head = 0;
        for (int i = 0; i < Long.BYTES; i++) {
            head = (head << Byte.SIZE) | (i < length ? Byte.toUnsignedInt(key[i]) : 0);
        }
        return head ^ Long.MIN_VALUE;
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

    /** Returns how many bytes it takes outside the heap. */
    long bytes() {
        return codes.bytes() + rows.bytes() + heads.bytes();
    }

    @Override
    public CodeRange values() {
        return CodeRange.of(1, rows.size() - 1L);
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
    public long cellOf(long code) {
        return rows.get(code);
    }

    @Override
    public CodeRange codes(Comparator comparator, Object value) {
        byte[] key =
                column.column().type() == ColumnType.BINARY
                        ? (byte[]) value
                        : value.toString().getBytes(UTF_8);
        TextColumn.Reader reader = column.reader();
        long first = ceiling(key, reader);
        boolean found =
                first < rows.size() && reader.compare((int) rows.get(first), key, key.length) == 0;
        return new CodePosition(first, found ? first : first - 1, 0).range(comparator, values());
    }

    @Override
    public CodeRange startingWith(byte[] prefix) {
        byte[] after = KeyBytes.prefixSuccessor(prefix);
        TextColumn.Reader reader = column.reader();
        long first = ceiling(prefix, reader);
        long end = after == null ? rows.size() : ceiling(after, reader);
        return CodeRange.of(first, end - 1);
    }

    /** Returns the least rank of a text that is not less: between two heads, and there by the texts. */
    private long ceiling(byte[] key, TextColumn.Reader reader) {
        long head = head(key, key.length);
        int less = headsBelow(head, 0);
        boolean isOnly = less == heads.size() || heads.get(less) > head;
        int more = isOnly ? less : headsAfter(head, less);
        long low = less == 0 ? 1 : 2 + ((long) (less - 1) << HEAD_BITS);
        long high = more == heads.size() ? rows.size() : 1 + ((long) more << HEAD_BITS);
        return BinarySearch.first(
                low, high, rank -> reader.compare((int) rows.get(rank), key, key.length) >= 0);
    }

    private int headsAfter(long head, int from) {
        return head == Long.MAX_VALUE ? heads.size() : headsBelow(head + 1, from);
    }

    private int headsBelow(long head, int from) {
        return (int) BinarySearch.first(from, heads.size(), place -> heads.get(place) >= head);
    }
}
