package dev.penstock.snapshot.rows;

import dev.penstock.snapshot.column.CodeRanges;
import dev.penstock.snapshot.column.StoredTable;
import dev.penstock.snapshot.index.RangeSelection;
import dev.penstock.snapshot.memory.Longs;
import dev.penstock.snapshot.work.QueryContext;
import dev.penstock.snapshot.work.WorkerThreads;
import java.util.Arrays;

/** The rows of a table that pass a filter, block by block. */
public final class TableScan implements RowSource {
    /** Words of a selection that make a block of rows that follow each other. */
    private static final int RUN = RowBlock.MOST / Long.SIZE;

    private final Filter filter;
    private final int start;
    private final int end;
    private final QueryContext context;
    private final long[] selection;

    /** The first row of the block of the selection. */
    private int from;

    /** The first row of the block after it. */
    private int next;

    /** How many bits of it are set. */
    private int selected;

    /** Returns the rows from {@code start} to before {@code end}. */
    public TableScan(Filter filter, int start, int end, QueryContext context) {
        this.filter = filter;
        this.start = start;
        this.end = end;
        next = start - start % StoredTable.BLOCK_ROWS;
        this.context = context;
        int block = Math.clamp((long) end - next, 1, StoredTable.BLOCK_ROWS);
        selection = new long[(block + Long.SIZE - 1) / Long.SIZE];
    }

    /**
     * Selects the rows that pass of the next block that has one; false where there is none. What takes long is done by
     * another thread, from some block on.
     */
    private boolean advance() {
        if (selected > 0 || next >= end) {
            return selected > 0;
        }
        long nanos = nanos();
        if (!WorkerThreads.isHandedOver(nanos)) {
            return advance(Long.MAX_VALUE);
        }
        long here = WorkerThreads.SHORT_NANOS / (StoredTable.BLOCK_ROWS * (1 + filter.nanos()));
        return advance(here) || (next < end && context.call(nanos, () -> advance(Long.MAX_VALUE)));
    }

    /** Returns the same of so many blocks. */
    private boolean advance(long blocks) {
        for (long left = blocks; left > 0 && selected == 0 && next < end; left--) {
            context.check();
            from = next;
            next = (int) Math.min(end, (long) from + StoredTable.BLOCK_ROWS);
            fill(Math.max(start - from, 0), next - from);
            filter.narrow(from, selection);
            for (long word : selection) {
                selected += Long.bitCount(word);
            }
        }
        return selected > 0;
    }

    /** Selects the rows of the block from {@code first} to before {@code last}. */
    private void fill(int first, int last) {
        for (int i = 0; i < selection.length; i++) {
            selection[i] = below(last - i * Long.SIZE) & ~below(first - i * Long.SIZE);
        }
    }

    /** Returns a word whose bits below a place are set. */
    private static long below(int place) {
        return place >= Long.SIZE ? -1L : place <= 0 ? 0 : (1L << place) - 1;
    }

    @Override
    public int next(int[] rows, int most) {
        if (!advance()) {
            return 0;
        }
        int count = 0;
        for (int i = 0; i < selection.length && count < most; i++) {
            int first = from + i * Long.SIZE;
            long word = selection[i];
            for (; word != 0 && count < most; word &= word - 1) {
                rows[count++] = first + Long.numberOfTrailingZeros(word);
            }
            selection[i] = word;
        }
        selected -= count;
        return count;
    }

    @Override
    public void next(RowBlock block) {
        int first = advance() ? firstWord() : selection.length;
        int run = nextRun(first);
        if (run == selection.length) {
            block.list(this, RowBlock.MOST);
            return;
        }
        if (run != first) {
            block.list(this, bits(first, run));
            return;
        }
        Arrays.fill(selection, run, run + RUN, 0);
        selected -= RowBlock.MOST;
        block.run(from + run * Long.SIZE, RowBlock.MOST);
    }

    /**
     * Returns the first word, from one on, with which as many whole words begin as make a block; the selection's end
     * where there is none.
     */
    private int nextRun(int word) {
        int run = word;
        for (int i = word; i < selection.length; i++) {
            if (selection[i] != -1) {
                run = i + 1;
            } else if (i - run == RUN - 1) {
                return run;
            }
        }
        return selection.length;
    }

    /** Returns how many bits are set in the words from one to before another. */
    private int bits(int word, int before) {
        int count = 0;
        for (int i = word; i < before; i++) {
            count += Long.bitCount(selection[i]);
        }
        return count;
    }

    /** Returns the first word of the selection that has a bit. */
    private int firstWord() {
        int word = 0;
        while (selection[word] == 0) {
            word++;
        }
        return word;
    }

    @Override
    public long nanos() {
        return ((long) end - next) * (1 + filter.nanos());
    }

    @Override
    public void skip(long count) {
        context.call(nanos(), () -> skipped(count));
    }

    private long skipped(long count) {
        long left = count;
        while (left > 0 && advance()) {
            if (selected <= left) {
                left -= selected;
                selected = 0;
            } else {
                deselect((int) left);
                selected -= (int) left;
                left = 0;
            }
        }
        return count - left;
    }

    /** Clears the first bits that are set. */
    private void deselect(int count) {
        int left = count;
        for (int i = 0; left > 0; i++) {
            for (; left > 0 && selection[i] != 0; left--) {
                selection[i] &= selection[i] - 1;
            }
        }
    }

    @Override
    public long count() {
        return context.call(nanos(), this::counted);
    }

    private long counted() {
        if (selected == 0
                && filter instanceof Filter.InCodes(_, Longs codes, CodeRanges ranges)
                && ranges.size() <= Filter.CODE_NANOS) {
            return count(RangeSelection.of(codes, ranges));
        }
        long count = 0;
        while (advance()) {
            count += selected;
            selected = 0;
        }
        return count;
    }

    private long count(RangeSelection[] ranges) {
        long count = 0;
        while (next < end) {
            context.check();
            int first = Math.max(next, start);
            next = (int) Math.min(end, (long) next + 16 * StoredTable.BLOCK_ROWS);
            for (RangeSelection range : ranges) {
                count += range.count(first, next);
            }
        }
        return count;
    }
}
