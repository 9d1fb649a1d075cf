package dev.penstock.snapshot.rows;

import dev.penstock.snapshot.column.StoredTable;
import dev.penstock.snapshot.work.QueryContext;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * A scan of many rows, cut into ranges of them that several threads look at: those of the pool that the caller is in,
 * else of the common one.
 */
public final class ParallelScan {
    /** Fewer rows than that are not worth another thread. */
    private static final int ROWS = 16 * StoredTable.BLOCK_ROWS;

    /** So many parts a thread, for some are done sooner than others. */
    private static final int PARTS = 4;

    private ParallelScan() {}

    /** Into how many parts so many rows are cut. */
    public static int count(int rows) {
        ForkJoinPool pool = ForkJoinTask.getPool();
        int threads = (pool == null ? ForkJoinPool.commonPool() : pool).getParallelism() + 1;
        return Math.min(rows / ROWS, threads * PARTS);
    }

    /**
     * Returns the rows that pass, in so many parts.
     *
     * @param filter gives the same filter for each part, since one is used by one thread
     */
    public static List<RowSource> of(
            int rows, Supplier<Filter> filter, int count, QueryContext context) {
        int blocks = rows / StoredTable.BLOCK_ROWS + 1;
        List<RowSource> parts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int start = (int) ((long) blocks * i / count) * StoredTable.BLOCK_ROWS;
            long end = (long) blocks * (i + 1) / count * StoredTable.BLOCK_ROWS;
            parts.add(new TableScan(filter.get(), start, (int) Math.min(rows, end), context));
        }
        return parts;
    }

    /** Returns what is made of each part, in their order. */
    public static <T> List<T> each(
            List<RowSource> parts, Function<RowSource, T> work, QueryContext context) {
        // Not by a virtual thread, whose carrier would do its share of them.
        return context.call(
                Long.MAX_VALUE,
                () ->
                        IntStream.range(0, parts.size())
                                .parallel()
                                .mapToObj(i -> work.apply(parts.get(i)))
                                .toList());
    }
}
