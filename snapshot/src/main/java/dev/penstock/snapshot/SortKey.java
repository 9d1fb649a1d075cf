package dev.penstock.snapshot;

import dev.penstock.query.Plan;
import org.jspecify.annotations.Nullable;

/** One column to sort rows by: gives a number for each row whose unsigned order is the order of the rows. Immutable, thread-safe. */
final class SortKey {
    private final IndexedColumn column;
    private final Longs codes;
    private final boolean shifted;
    private final boolean descending;

    /** Where equal values have different codes: the same number for equal ones, by distance from the least code. */
    private final int @Nullable [] ranks;

    private SortKey(IndexedColumn column, Plan.Order order) {
        Coding coding = column.coding();
        this.column = column;
        codes = coding.codes();
        descending = order.descending();
        // NULL has the least code: that is first ascending, and last descending.
        shifted = coding.hasNulls() && order.descending() == order.nullsFirst();
        ranks = coding.hasEquals() ? ranks(coding) : null;
    }

    static SortKey of(IndexedColumn column, Plan.Order order) {
        return new SortKey(column, order);
    }

    private static int[] ranks(Coding coding) {
        long base = coding.codes().base();
        int[] ranks = new int[(int) (coding.values().greatest() - base + 1)];
        for (int i = 1; i < ranks.length; i++) {
            boolean equal =
                    base + i > coding.values().least() && coding.areEqual(base + i - 1, base + i);
            ranks[i] = ranks[i - 1] + (equal ? 0 : 1);
        }
        return ranks;
    }

    IndexedColumn column() {
        return column;
    }

    /** Whether NULL, the least code, is on the side where its number does not put it. */
    boolean isShifted() {
        return shifted;
    }

    /** Whether larger values come first. */
    boolean isDescending() {
        return descending;
    }

    /** Whether rows of different codes may be equal. */
    boolean hasEquals() {
        return ranks != null;
    }

    /** How many bits a number has at the most. */
    int bits() {
        return codes.width() * Byte.SIZE;
    }

    long of(int row) {
        long distance = codes.get(row) - codes.base();
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
}
