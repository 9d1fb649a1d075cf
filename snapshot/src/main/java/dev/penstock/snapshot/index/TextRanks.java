package dev.penstock.snapshot.index;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.penstock.query.ColumnType;
import dev.penstock.query.Predicate.Comparator;
import dev.penstock.query.Utf8;
import dev.penstock.snapshot.column.CodePosition;
import dev.penstock.snapshot.column.CodeRange;
import dev.penstock.snapshot.column.KeyBytes;
import dev.penstock.snapshot.column.OrderedCodes;
import dev.penstock.snapshot.column.RowChanges;
import dev.penstock.snapshot.column.TextColumn;
import dev.penstock.snapshot.memory.BinarySearch;
import dev.penstock.snapshot.memory.Longs;
import dev.penstock.snapshot.memory.Memory;
import dev.penstock.snapshot.memory.Permutation;
import dev.penstock.snapshot.work.IndexThreads;
import dev.penstock.snapshot.work.Pace;
import dev.penstock.snapshot.work.WorkerThreads;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntBinaryOperator;
import org.jspecify.annotations.Nullable;

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

    /** Texts that are worth a thread of their own to be sorted. */
    private static final int PART = 1 << 16;

    /** Sorts the texts, many of them by several threads. */
    static TextRanks of(TextColumn column, Memory memory) {
        int size = column.rows();
        TextColumn.Reader one = column.reader();
        TextColumn.Reader other = column.reader();
        int parts = Integer.highestOneBit(Math.clamp(size / PART, 1, 4 * WorkerThreads.THREADS));
        try (Memory.Scratch scratch = memory.scratch()) {
            Longs sorted =
                    Permutation.sorted(
                            scratch, size, () -> order(column), parts, IndexThreads::all);
            Longs codes = Longs.allocate(memory, size, 0, size);
            int different = rank(column, sorted, codes, one, other);
            return of(column, codes, different, memory);
        }
    }

    /** Gives its memory back; nobody reads it any more. */
    void free() {
        codes.free();
        rows.free();
        heads.free();
    }

    private static IntBinaryOperator order(TextColumn column) {
        TextColumn.Reader one = column.reader();
        TextColumn.Reader other = column.reader();
        return (a, b) -> {
            boolean isNull = column.isNull(a);
            return isNull || column.isNull(b)
                    ? Boolean.compare(column.isNull(b), isNull)
                    : compare(one, a, other, b);
        };
    }

    private static TextRanks of(TextColumn column, Longs codes, int different, Memory memory) {
        Longs rows = Longs.allocate(memory, different + 1, 0, column.rows());
        for (int row = column.rows() - 1; row >= 0; row--) {
            Pace.step(row);
            rows.set(codes.get(row), row);
        }
        return new TextRanks(column, codes, rows, heads(memory, rows, column.reader()));
    }

    /**
     * Returns the ranks of a column's next version, made of these.
     *
     * @param next the column in the next version
     * @param changes what the difference is
     * @param now where the rows of this version are in the next; negative where they are in none
     */
    TextRanks next(TextColumn next, RowChanges changes, Longs now, Memory memory) {
        BitSet used = new BitSet();
        for (int row = 0; row < codes.size(); row++) {
            Pace.step(row);
            if (now.get(row) >= 0) {
                used.set((int) codes.get(row));
            }
        }
        TreeMap<byte[], Integer> added = new TreeMap<>(Arrays::compareUnsigned);
        List<byte @Nullable []> texts = changedTexts(next, changes, used, added);
        Longs codesNow = Longs.allocate(memory, changes.rows(), 0, changes.rows());
        try (Memory.Scratch scratch = memory.scratch()) {
            Longs ranks = Longs.allocate(scratch, rows.size(), 0, changes.rows());
            int different = number(used, added, ranks);
            for (int row = 0; row < codes.size(); row++) {
                Pace.step(row);
                if (now.get(row) >= 0) {
                    codesNow.set(now.get(row), ranks.get(codes.get(row)));
                }
            }
            TextColumn.Reader reader = column.reader();
            for (int i = 0; i < texts.size(); i++) {
                byte[] text = texts.get(i);
                if (text != null) {
                    Integer rank = added.get(text);
                    codesNow.set(
                            changes.place(i),
                            rank != null ? rank : ranks.get(ceiling(text, reader)));
                }
            }
            return of(next, codesNow, different, memory);
        }
    }

    /** Returns the changed rows' texts; notes which of them have a rank already, and which are new. */
    private List<byte @Nullable []> changedTexts(
            TextColumn next, RowChanges changes, BitSet used, TreeMap<byte[], Integer> added) {
        TextColumn.Reader own = column.reader();
        TextColumn.Reader others = next.reader();
        List<byte @Nullable []> texts = new ArrayList<>();
        for (int i = 0; i < changes.changed(); i++) {
            int row = changes.place(i);
            if (next.isNull(row)) {
                texts.add(null);
                continue;
            }
            Utf8 key = others.key(row);
            byte[] text =
                    Arrays.copyOfRange(key.array(), key.offset(), key.offset() + key.length());
            texts.add(text);
            long rank = ceiling(text, own);
            if (rank < rows.size() && own.compare((int) rows.get(rank), text, text.length) == 0) {
                used.set((int) rank);
            } else {
                added.put(text, (int) rank);
            }
        }
        return texts;
    }

    /**
     * Numbers the ranks that are still used and the new texts, each of which comes before the rank that it has at
     * first. Tells how many there are.
     */
    private int number(BitSet used, TreeMap<byte[], Integer> added, Longs ranks) {
        int different = 0;
        Iterator<Map.Entry<byte[], Integer>> left = added.entrySet().iterator();
        Map.Entry<byte[], Integer> first = left.hasNext() ? left.next() : null;
        for (int rank = 1; rank <= rows.size(); rank++) {
            while (first != null && first.getValue() == rank) {
                first.setValue(++different);
                first = left.hasNext() ? left.next() : null;
            }
            if (rank < rows.size() && used.get(rank)) {
                ranks.set(rank, ++different);
            }
        }
        return different;
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
