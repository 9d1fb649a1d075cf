package dev.penstock.snapshot.aggregate;

import dev.penstock.snapshot.column.OrderedCodes;
import dev.penstock.snapshot.column.StoredTable;
import dev.penstock.snapshot.column.TextColumn;
import dev.penstock.snapshot.index.IndexedColumn;
import dev.penstock.snapshot.memory.HeapReservation;
import dev.penstock.snapshot.memory.LongDictionary;
import dev.penstock.snapshot.memory.Longs;
import dev.penstock.snapshot.rows.RowBlock;
import dev.penstock.snapshot.rows.RowList;
import dev.penstock.snapshot.work.QueryContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A numbering of rows by the group that they are in: those with equal codes in all of some columns. Groups are numbered
 * from 0, by where they first occur. Used by one thread.
 *
 * <p>The codes of a row are packed in one number; where that is more than 64 bits, the group by the first columns, with
 * the codes of the next ones, makes the number of the next stage. Texts for whose order there is no memory are numbered
 * first.
 */
public final class RowGrouping {
    private static final int GROUP_BITS = 32;

    /** The most bits of a part, which has room beside a group. */
    private static final int MOST_BITS = Long.SIZE - GROUP_BITS;

    private final QueryContext context;

    /** The first row of each group. */
    private final RowList firsts;

    private final List<Stage> stages = new ArrayList<>();
    private long[] keys = new long[0];
    private long[] codes = new long[0];
    private int[] groups = new int[0];
    private boolean isOneGroup;

    /** A part of what tells the rows of a column apart, by some bits. */
    private sealed interface Part {
        int bits();
    }

    /** A part that is some bits of the codes of a column. */
    private record CodeBits(Longs codes, int shift, int bits) implements Part {}

    /** The numbers of a column's texts. */
    private record Texts(TextDictionary numbers) implements Part {
        @Override
        public int bits() {
            return Integer.SIZE;
        }
    }

    /** The parts that are packed in one number, after the group so far. */
    private record Stage(List<Part> parts, LongDictionary groups) {}

    /**
     * @param context of the query, which counts what it takes of the heap
     */
    RowGrouping(List<IndexedColumn> columns, QueryContext context) {
        this.context = context;
        HeapReservation reservation = context.reservation();
        firsts = new RowList(reservation);
        List<Part> parts = new ArrayList<>();
        int left = Long.SIZE;
        for (IndexedColumn column : columns) {
            for (Part part : parts(column)) {
                if (part.bits() > left) {
                    stages.add(
                            new Stage(
                                    List.copyOf(parts),
                                    new LongDictionary(Long.SIZE, reservation, context::check)));
                    parts.clear();
                    left = MOST_BITS;
                }
                parts.add(part);
                left -= part.bits();
            }
        }
        int bits = Long.SIZE - left + (stages.isEmpty() ? 0 : GROUP_BITS);
        stages.add(
                new Stage(
                        List.copyOf(parts), new LongDictionary(bits, reservation, context::check)));
    }

    private List<Part> parts(IndexedColumn column) {
        if (!column.hasCoding()) {
            return List.of(new Texts(new TextDictionary((TextColumn) column.stored(), context)));
        }
        OrderedCodes coding = column.coding();
        Longs codes = coding.codes();
        int bits =
                coding.all().isEmpty()
                        ? 0
                        : Long.SIZE
                                - Long.numberOfLeadingZeros(coding.all().greatest() - codes.base());
        if (bits == 0) {
            return List.of();
        }
        return bits <= MOST_BITS
                ? List.of(new CodeBits(codes, 0, bits))
                : List.of(
                        new CodeBits(codes, MOST_BITS, bits - MOST_BITS),
                        new CodeBits(codes, 0, MOST_BITS));
    }

    /**
     * Returns the group of each row of a block; valid until the next call.
     */
    public int[] assign(RowBlock rows) {
        int count = rows.count();
        groups = RowBlock.sized(groups, count);
        keys = RowBlock.sized(keys, count);
        codes = RowBlock.sized(codes, count);
        boolean isFirst = true;
        for (Stage stage : stages) {
            if (isFirst) {
                Arrays.fill(keys, 0, count, 0);
            } else {
                for (int i = 0; i < count; i++) {
                    keys[i] = groups[i];
                }
            }
            isFirst = false;
            for (Part part : stage.parts()) {
                append(part, rows);
            }
            isOneGroup = areSame(keys, count);
            if (isOneGroup) {
                Arrays.fill(groups, 0, count, stage.groups().number(keys[0]));
            } else {
                stage.groups().numbers(keys, count, groups);
            }
        }
        addFirsts(rows);
        return groups;
    }

    /** Returns whether all rows of the last call are of the same group, as where they are in the order of groups. */
    boolean isOneGroup() {
        return isOneGroup;
    }

    private static boolean areSame(long[] keys, int count) {
        long first = keys[0];
        if (keys[count - 1] != first || keys[count / 2] != first) {
            return false;
        }
        long differences = 0;
        for (int i = 0; i < count; i++) {
            differences |= keys[i] ^ first;
        }
        return differences == 0;
    }

    private void addFirsts(RowBlock rows) {
        int last = stages.getLast().groups().size();
        for (int i = 0; firsts.size() < last; i++) {
            if (groups[i] == firsts.size()) {
                firsts.add(rows.rows()[i]);
            }
        }
    }

    private void append(Part part, RowBlock rows) {
        int count = rows.count();
        switch (part) {
            case CodeBits(Longs from, int shift, int bits) -> {
                rows.read(from, codes);
                long base = from.base();
                long mask = (1L << bits) - 1;
                for (int i = 0; i < count; i++) {
                    keys[i] = (keys[i] << bits) | (((codes[i] - base) >>> shift) & mask);
                }
            }
            case Texts(TextDictionary numbers) -> {
                int[] each = rows.rows();
                for (int i = 0; i < count; i++) {
                    keys[i] = (keys[i] << Integer.SIZE) | numbers.number(each[i]);
                }
            }
        }
    }

    /**
     * Adds the groups of another grouping by the same columns, whose rows come after all of these.
     *
     * @return the group here of each there
     */
    int[] addAll(RowGrouping other) {
        int size = other.size();
        int[] here = context.reservation().grown(new int[0], size);
        int[] some = new int[Math.min(size, StoredTable.BLOCK_ROWS)];
        for (int from = 0; from < size; from += some.length) {
            context.check();
            int count = Math.min(some.length, size - from);
            System.arraycopy(other.firsts.array(), from, some, 0, count);
            System.arraycopy(assign(new RowBlock(some, count)), 0, here, from, count);
        }
        return here;
    }

    /** Returns how many groups there are. */
    int size() {
        return firsts.size();
    }

    /** Returns the first row of each group. */
    public RowList firsts() {
        return firsts;
    }
}
