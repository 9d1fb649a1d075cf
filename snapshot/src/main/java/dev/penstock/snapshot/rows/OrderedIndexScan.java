package dev.penstock.snapshot.rows;

import dev.penstock.snapshot.column.CodeRange;
import dev.penstock.snapshot.column.StoredTable;
import dev.penstock.snapshot.index.RowIndex;
import dev.penstock.snapshot.work.QueryContext;
import dev.penstock.snapshot.work.WorkerThreads;
import java.util.List;

/**
 * The rows that pass a filter, in the order of a column and then of others, by the column's index: group after group of
 * equal codes, of which each is sorted by the rest. What comes late is never looked at where few rows are wanted.
 */
public final class OrderedIndexScan implements RowSource {
    /** About how long it takes to come to the next row, wherever it is. */
    private static final long WALK_NANOS = 8;

    /** Rows that are left out at once. */
    private static final int PASSED_ROWS = 512;

    private final RowIndex index;
    private final boolean descending;
    private final Filter filter;
    private final List<SortKey> rest;
    private final QueryContext context;

    /**
     * The places that are left of the part that is read, and of the one after it, which is that of the NULLs or comes
     * after them.
     */
    private int low;

    private int high;
    private int nextLow;
    private int nextHigh;

    /** The places that are left of the group, and its rows where they were sorted. */
    private int place;

    private int end;
    private final RowList sorted;
    private int next;

    private int walked;

    /** The number of places that are read. */
    private final int size;

    private int knownPlace = -1;
    private long knownCode;

    /**
     * @param keys what the rows are sorted by; the index is that of the first
     * @param index the rows in the order of the codes
     * @param nulls how many NULLs there are
     * @param part the codes of the rows that are read
     * @param filter what these have to pass besides
     */
    public OrderedIndexScan(
            List<SortKey> keys,
            RowIndex index,
            int nulls,
            CodeRange part,
            Filter filter,
            QueryContext context) {
        this.index = index;
        this.filter = filter;
        this.context = context;
        sorted = new RowList(context.reservation());
        SortKey first = keys.getFirst();
        descending = first.isDescending();
        rest = List.copyOf(keys.subList(1, keys.size()));
        // NULLs have the first places of the index. Where they are to be on the other side, they
        // are a part of their own.
        boolean nullsFirst = first.isShifted() && descending;
        boolean nullsLast = first.isShifted() && !descending;
        int from = index.ceiling(part.least());
        int to = Math.max(from, index.end(part));
        low = within(nullsLast ? nulls : 0, from, to);
        high = within(nullsFirst ? nulls : index.size(), from, to);
        nextLow = within(nullsFirst ? nulls : 0, from, to);
        nextHigh = within(nullsLast ? nulls : nullsFirst ? index.size() : 0, from, to);
        size = to - from;
    }

    private static int within(int place, int from, int to) {
        return Math.clamp(place, from, to);
    }

    /** Returns whether there are places left outside the group; goes on to the next part where one is read. */
    private boolean hasMore() {
        if (low == high) {
            low = nextLow;
            high = nextHigh;
            nextHigh = nextLow;
        }
        return low < high;
    }

    /** Comes to the next group; false at the end. */
    private boolean advance() {
        if (!hasMore()) {
            return false;
        }
        if (descending) {
            end = high;
            place = start(high - 1);
            high = place;
        } else {
            place = low;
            end = rest.isEmpty() ? high : after(low);
            low = end;
        }
        return true;
    }

    private long code(int at) {
        return index.codes().get(index.row(at));
    }

    /** Returns the first place of the group that a place is in. */
    private int start(int at) {
        long code = at == knownPlace ? knownCode : code(at);
        if (at == 0) {
            return at;
        }
        // Looked at once, though it is the end of the next group that is asked for: each look is a
        // miss of the cache.
        knownPlace = at - 1;
        knownCode = code(knownPlace);
        return knownCode != code ? at : index.ceiling(code);
    }

    /** Returns the place after the last of the group that a place is in. */
    private int after(int at) {
        long code = code(at);
        return at + 1 == index.size() || code(at + 1) != code
                ? at + 1
                : index.end(CodeRange.of(code, code), at);
    }

    @Override
    public int next(int[] rows, int most) {
        context.check();
        if (!WorkerThreads.isHandedOver(Long.MAX_VALUE)) {
            return read(rows, 0, most, Integer.MAX_VALUE);
        }
        // What takes long is done by another thread, from some row on.
        int here = walked + (int) (WorkerThreads.SHORT_NANOS / nanosARow());
        int count = read(rows, 0, most, here);
        return count == most || walked < here
                ? count
                : context.call(Long.MAX_VALUE, () -> read(rows, count, most, Integer.MAX_VALUE));
    }

    private long nanosARow() {
        return WALK_NANOS + filter.nanos() + (rest.isEmpty() ? 0 : RowSorter.SORT_NANOS);
    }

    @Override
    public long nanos() {
        return size * nanosARow();
    }

    /** Reads rows behind those that there are already, until so many rows have been looked at. */
    private int read(int[] rows, int already, int most, int until) {
        int count = already;
        while (count < most
                && walked < until
                && (place < end || next < sorted.size() || advance())) {
            if (rest.isEmpty()) {
                int row = index.row(walk());
                if (filter.test(row)) {
                    rows[count++] = row;
                }
            } else if (place < end) {
                sortGroup();
            } else {
                rows[count++] = sorted.get(next++);
            }
        }
        return count;
    }

    /** Gives the place and goes on to the next; where few rows pass, that is often before there is one. */
    private int walk() {
        if (++walked % StoredTable.BLOCK_ROWS == 0) {
            context.check();
        }
        return place++;
    }

    /** Sorts the rows of the group by the rest. */
    private void sortGroup() {
        int _ = context.call(((long) end - place) * nanosARow(), this::sort);
    }

    private int sort() {
        sorted.clear();
        next = 0;
        while (place < end) {
            int row = index.row(walk());
            if (filter.test(row)) {
                sorted.add(row);
            }
        }
        if (sorted.size() > 1) {
            new RowSorter(rest).sort(sorted.array(), sorted.size(), context);
        }
        return sorted.size();
    }

    @Override
    public void skip(long count) {
        if (!filter.equals(Filter.Constant.ALL)) {
            long _ = context.call(nanos(), () -> readOver(count));
            return;
        }
        long left = skipInGroup(count);
        while (left > 0 && hasMore()) {
            left = jump(left);
            left = left > 0 && low < high && advance() ? skipInGroup(left) : left;
        }
    }

    /** Leaves out rows of the group; tells how many are to be left out still. */
    private long skipInGroup(long count) {
        if (rest.isEmpty()) {
            int skipped = (int) Math.min(count, end - place);
            place += skipped;
            return count - skipped;
        }
        if (place < end) {
            sortGroup();
        }
        int skipped = (int) Math.min(count, sorted.size() - next);
        next += skipped;
        return count - skipped;
    }

    /** Leaves out all groups before the one in which so many rows are left out; tells how many those still are. */
    private long jump(long count) {
        long size = (long) high - low;
        if (count >= size) {
            low = descending ? low : high;
            high = descending ? low : high;
            return count - size;
        }
        if (descending) {
            int after = Math.min(after((int) (high - 1 - count)), high);
            long left = count - (high - after);
            high = after;
            return left;
        }
        int target = (int) (low + count);
        int start = rest.isEmpty() ? target : Math.max(start(target), low);
        low = start;
        return (long) target - start;
    }

    /** Leaves out so many rows; tells how many there were too few. */
    private long readOver(long count) {
        int[] passed = new int[(int) Math.min(count, PASSED_ROWS)];
        long left = count;
        for (int read = -1; left > 0 && read != 0; left -= read) {
            read = read(passed, 0, (int) Math.min(left, passed.length), Integer.MAX_VALUE);
        }
        return left;
    }

    @Override
    public long count() {
        return context.call(
                nanos(),
                () -> {
                    long[] count = {0};
                    RowBlock.each(this, (_, read) -> count[0] += read);
                    return count[0];
                });
    }
}
