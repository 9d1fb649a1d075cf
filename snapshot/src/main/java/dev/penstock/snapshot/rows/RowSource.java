package dev.penstock.snapshot.rows;

import dev.penstock.query.Window;
import dev.penstock.snapshot.column.StoredTable;
import dev.penstock.snapshot.work.QueryContext;
import java.util.function.Supplier;

/** A source of row numbers, which gives some at a time. Used by one thread at a time. */
public interface RowSource {
    /**
     * Gives the next rows.
     *
     * @param rows where they are written, from its beginning
     * @param most how many are wanted at the most, at least 1
     * @return how many there are; 0 at the end, and only there
     */
    int next(int[] rows, int most);

    /** Returns the next rows, as many as the array holds. */
    default int next(int[] rows) {
        return next(rows, rows.length);
    }

    /** Fills a block with the next rows; with none at the end, and only there. */
    default void next(RowBlock block) {
        block.list(this, RowBlock.MOST);
    }

    /** Leaves out the next {@code count} rows, or all. */
    void skip(long count);

    /** Returns how many rows there are left, which then are read. */
    long count();

    /** Returns about how long it takes to read all rows that are left, at the most. */
    long nanos();

    /** Returns a part of the rows. */
    static RowSource windowed(RowSource source, Window window) {
        return window.equals(Window.ALL) ? source : new Windowed(source, window);
    }

    /** A source of all rows whose numbers are below some number. */
    public final class Range implements RowSource {
        private final QueryContext context;
        private final int end;
        private int next;

        public Range(int end, QueryContext context) {
            this.context = context;
            this.end = end;
        }

        @Override
        public int next(int[] rows, int most) {
            context.check();
            int count = Math.min(end - next, most);
            for (int i = 0; i < count; i++) {
                rows[i] = next + i;
            }
            next += count;
            return count;
        }

        @Override
        public void next(RowBlock block) {
            context.check();
            int count = Math.min(end - next, RowBlock.MOST);
            block.run(next, count);
            next += count;
        }

        @Override
        public void skip(long count) {
            next = (int) Math.min(end, next + count < 0 ? end : next + count);
        }

        @Override
        public long count() {
            int count = end - next;
            next = end;
            return count;
        }

        @Override
        public long nanos() {
            return (long) end - next;
        }
    }

    /** Rows of a list that pass a filter. */
    final class Listed implements RowSource {
        private final QueryContext context;
        private final RowList list;
        private final Filter filter;
        private int next;

        public Listed(RowList list, Filter filter, QueryContext context) {
            this.context = context;
            this.list = list;
            this.filter = filter;
        }

        @Override
        public int next(int[] rows, int most) {
            // Without a filter there are as many as are looked at.
            long nanos = filter.equals(Filter.Constant.ALL) ? 0 : nanos();
            return context.call(nanos, () -> read(rows, most));
        }

        private int read(int[] rows, int most) {
            int count = 0;
            while (next < list.size() && count < most) {
                int row = nextRow();
                if (filter.test(row)) {
                    rows[count++] = row;
                }
            }
            return count;
        }

        @Override
        public long nanos() {
            return ((long) list.size() - next) * (1 + filter.nanos());
        }

        private int nextRow() {
            if (next % StoredTable.BLOCK_ROWS == 0) {
                context.check();
            }
            return list.get(next++);
        }

        @Override
        public void skip(long count) {
            if (filter.equals(Filter.Constant.ALL)) {
                next = (int) Math.min(list.size(), next + Math.min(count, list.size()));
                return;
            }
            context.call(nanos(), () -> skipped(count));
        }

        private long skipped(long count) {
            long left = count;
            while (left > 0 && next < list.size()) {
                left -= filter.test(nextRow()) ? 1 : 0;
            }
            return count - left;
        }

        @Override
        public long count() {
            return context.call(nanos(), this::counted);
        }

        private long counted() {
            long count = 0;
            if (filter.equals(Filter.Constant.ALL)) {
                count = (long) list.size() - next;
                next = list.size();
            }
            while (next < list.size()) {
                count += filter.test(nextRow()) ? 1 : 0;
            }
            return count;
        }
    }

    /** A source of the rows of one and then of another, which is made when it is needed. */
    final class Joined implements RowSource {
        private static final int PASSED_ROWS = 512;

        private final Supplier<RowSource> next;
        private RowSource source;
        private boolean isLast;

        public Joined(RowSource first, Supplier<RowSource> next) {
            this.source = first;
            this.next = next;
        }

        @Override
        public int next(int[] rows, int most) {
            int count = source.next(rows, most);
            if (count > 0 || isLast) {
                return count;
            }
            goOn();
            return source.next(rows, most);
        }

        private void goOn() {
            source = next.get();
            isLast = true;
        }

        @Override
        public void skip(long count) {
            int[] passed = new int[(int) Math.min(count, PASSED_ROWS)];
            long left = count;
            for (int read = -1; left > 0 && read != 0; left -= read) {
                read = next(passed, (int) Math.min(left, passed.length));
            }
        }

        @Override
        public long count() {
            long count = source.count();
            if (!isLast) {
                goOn();
                count += source.count();
            }
            return count;
        }

        @Override
        public long nanos() {
            return source.nanos();
        }
    }

    /** A source of a part of the rows of another. */
    final class Windowed implements RowSource {
        private final RowSource source;
        private long offset;
        private long left;

        public Windowed(RowSource source, Window window) {
            this.source = source;
            offset = window.offset();
            left = window.limit();
        }

        private void start() {
            if (offset > 0 && left > 0) {
                source.skip(offset);
            }
            offset = 0;
        }

        @Override
        public int next(int[] rows, int most) {
            start();
            int count = left == 0 ? 0 : source.next(rows, (int) Math.min(left, most));
            left -= count;
            return count;
        }

        @Override
        public void skip(long count) {
            start();
            long skipped = Math.min(count, left);
            source.skip(skipped);
            left -= skipped;
        }

        @Override
        public long count() {
            start();
            long count = left == 0 ? 0 : Math.min(left, source.count());
            left = 0;
            return count;
        }

        @Override
        public long nanos() {
            return left == 0 ? 0 : source.nanos();
        }
    }
}
