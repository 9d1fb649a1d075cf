package dev.penstock.snapshot.execute;

import dev.penstock.query.Column;
import dev.penstock.query.QueryException;
import dev.penstock.snapshot.aggregate.QueryResult;
import dev.penstock.snapshot.aggregate.ResultColumn;
import dev.penstock.snapshot.column.CellCursor;
import dev.penstock.snapshot.column.CellReader;
import dev.penstock.snapshot.column.StoredTable;
import dev.penstock.snapshot.rows.RowSource;
import dev.penstock.snapshot.work.QueryContext;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A cursor whose rows are found when the first is asked for. It keeps the version that it reads in memory until it is
 * closed.
 */
public final class ResultCursor extends CellCursor {
    /** How many rows are fetched first; more each time, up to a block. */
    private static final int FIRST = 32;

    /** Rows between two looks at the clock, and how long a virtual thread reads before it gives way. */
    private static final int TURN_ROWS = 64;

    private static final long TURN_NANOS = 2_000_000;

    private final Supplier<List<Column>> labels;
    private @Nullable List<Column> columns;
    private final QueryContext context;
    private final Runnable closing;
    private int[] some = new int[FIRST];
    private @Nullable Function<QueryContext, QueryResult> query;
    private ResultColumn[] cells = new ResultColumn[0];
    private @Nullable RowSource rows;
    private @Nullable Throwable failure;
    private boolean closed;
    private int count;
    private int at = -1;

    /** Whether a turn has begun, and when. */
    private boolean turns;

    private long turnStart;

    public ResultCursor(List<Column> columns, Function<QueryContext, QueryResult> query) {
        this(() -> columns, query, new QueryContext(), () -> {});
    }

    /**
     * @param labels gives the columns, which few ask for
     * @param closing done once, when it is closed
     */
    public ResultCursor(
            Supplier<List<Column>> labels,
            Function<QueryContext, QueryResult> query,
            QueryContext context,
            Runnable closing) {
        this.context = context;
        this.closing = closing;
        this.labels = labels;
        this.query = query;
    }

    @Override
    public List<Column> columns() {
        List<Column> known = columns;
        if (known == null) {
            known = List.copyOf(labels.get());
            columns = known;
        }
        return known;
    }

    @Override
    public boolean next() {
        if (++at < count) {
            if (at % TURN_ROWS == 0) {
                giveWay();
            }
            return true;
        }
        at = -1;
        switch (failure) {
            case null -> {}
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            default -> throw new IllegalStateException(failure);
        }
        if (closed) {
            throw new QueryException(QueryException.Kind.CANCELLED, "a closed cursor is read on");
        }
        try {
            count = context.within(this::more);
        } catch (RuntimeException | Error e) {
            failure = e;
            count = 0;
            context.close();
            throw e;
        }
        at = count == 0 ? -1 : 0;
        return count > 0;
    }

    /**
     * A virtual thread keeps its carrier until it waits for something; whoever reads many rows may never do. It does
     * not yield: a carrier takes what yielded on it again before it looks for what was started elsewhere.
     */
    private void giveWay() {
        if (Thread.currentThread().isVirtual()) {
            long now = System.nanoTime();
            if (turns && now - turnStart > TURN_NANOS) {
                LockSupport.parkNanos(1);
                now = System.nanoTime();
                turnStart = now;
            } else if (!turns) {
                turns = true;
                turnStart = now;
            }
        }
    }

    private int more() {
        Function<QueryContext, QueryResult> unasked = query;
        if (unasked != null) {
            context.check();
            QueryResult answer = unasked.apply(context);
            query = null;
            cells = answer.cells().toArray(ResultColumn[]::new);
            rows = answer.rows();
        }
        if (rows == null) {
            return 0;
        }
        giveWay();
        if (count == some.length && count < StoredTable.BLOCK_ROWS) {
            some = new int[count * 2];
        }
        return rows.next(some);
    }

    @Override
    protected @Nullable CellReader reader(int column) {
        if (at < 0) {
            throw new IllegalStateException("a cursor is read that is on no row");
        }
        return cells[column].isAbsent(some[at]) ? null : cells[column].reader();
    }

    @Override
    protected long cell(int column) {
        return cells[column].cell(some[at]);
    }

    @Override
    public void cancel() {
        context.tell();
    }

    @Override
    public void close() {
        context.close();
        query = null;
        rows = null;
        cells = new ResultColumn[0];
        count = 0;
        at = -1;
        if (!closed) {
            closed = true;
            closing.run();
        }
    }
}
