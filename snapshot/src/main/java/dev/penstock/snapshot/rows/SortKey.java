package dev.penstock.snapshot.rows;

import static java.util.Objects.requireNonNull;

import dev.penstock.query.Plan;
import dev.penstock.snapshot.column.OrderedCodes;
import dev.penstock.snapshot.column.TextColumn;
import dev.penstock.snapshot.index.IndexedColumn;
import dev.penstock.snapshot.memory.HeapReservation;
import dev.penstock.snapshot.memory.Longs;
import dev.penstock.snapshot.work.IndexesToBuild;
import dev.penstock.snapshot.work.QueryContext;
import dev.penstock.snapshot.work.WorkerThreads;
import org.jspecify.annotations.Nullable;

/**
 * One column to sort rows by: gives a number for each row whose unsigned order is the order of the rows, or compares
 * their texts, where there is no memory for the order of these. Used by one thread.
 */
public final class SortKey {
    /** About how long it takes to compare the values of two codes. */
    private static final long NEIGHBOUR_NANOS = 100;

    private final IndexedColumn column;
    private final boolean descending;
    private final boolean nullsFirst;

    /** Null where texts are compared. */
    private final @Nullable Longs codes;

    private final TextColumn.@Nullable Reader texts;
    private final boolean shifted;

    /** Where equal values have different codes: the same number for equal ones, by distance from the least code. */
    private final int @Nullable [] ranks;

    /**
     * @param context what equal values are numbered for
     */
    public SortKey(IndexedColumn column, Plan.Order order, QueryContext context) {
        this.column = column;
        descending = order.descending();
        nullsFirst = order.nullsFirst();
        // NULL has the least code: that is first ascending, and last descending.
        shifted = column.stored().hasNulls() && descending == nullsFirst;
        if (column.hasCoding()) {
            OrderedCodes coding = column.coding();
            codes = coding.codes();
            texts = null;
            ranks = coding.hasEquals() ? ranks(coding, context.reservation()) : null;
        } else {
            codes = null;
            texts = ((TextColumn) column.stored()).reader();
            ranks = null;
        }
    }

    private static int[] ranks(OrderedCodes coding, HeapReservation reservation) {
        long base = coding.codes().base();
        if (IndexesToBuild.areOnlyNoted()) {
            return new int[0];
        }
        int[] ranks = reservation.grown(new int[0], coding.values().greatest() - base + 1);
        return WorkerThreads.call(
                (long) ranks.length * NEIGHBOUR_NANOS, () -> ranked(ranks, coding, base));
    }

    private static int[] ranked(int[] ranks, OrderedCodes coding, long base) {
        for (int i = 1; i < ranks.length; i++) {
            boolean equal =
                    base + i > coding.values().least() && coding.areEqual(base + i - 1, base + i);
            ranks[i] = ranks[i - 1] + (equal ? 0 : 1);
        }
        return ranks;
    }

    public IndexedColumn column() {
        return column;
    }

    /** Returns whether it gives numbers. */
    public boolean isCoded() {
        return codes != null;
    }

    /** Returns whether NULL, the least code, is on the side where its number does not put it. */
    boolean isShifted() {
        return shifted;
    }

    /** Returns whether larger values come first. */
    boolean isDescending() {
        return descending;
    }

    /** Returns whether rows of different codes may be equal. */
    public boolean hasEquals() {
        return ranks != null;
    }

    /** Returns how many bits a number has at the most; 0 where there is none. */
    int bits() {
        return codes == null ? 0 : codes.width() * Byte.SIZE;
    }

    /** Returns the number of a row. */
    public long of(int row) {
        Longs all = requireNonNull(codes);
        long distance = all.get(row) - all.base();
        if (ranks != null) {
            distance = ranks[(int) distance];
        }
        if (shifted) {
            distance--;
        }
        if (descending) {
            distance = ~distance;
        }
        return bits() == Long.SIZE ? distance : distance & ((1L << bits()) - 1);
    }

    int compare(int one, int other) {
        return texts == null ? Long.compareUnsigned(of(one), of(other)) : texts(texts, one, other);
    }

    private int texts(TextColumn.Reader reader, int one, int other) {
        boolean oneIsNull = column.stored().isNull(one);
        boolean otherIsNull = column.stored().isNull(other);
        if (oneIsNull || otherIsNull) {
            int nulls = Boolean.compare(oneIsNull, otherIsNull);
            return nullsFirst ? -nulls : nulls;
        }
        int compared = reader.compare(one, other);
        return descending ? -compared : compared;
    }
}
