package dev.penstock.query.sql;

import com.sun.management.ThreadMXBean;
import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import dev.penstock.query.QueryException;
import dev.penstock.query.Table;
import dev.penstock.query.sql.read.ConnectionSource;
import dev.penstock.query.sql.read.CursorFactory;
import dev.penstock.query.sql.read.RowCursor;
import dev.penstock.query.sql.read.Session;
import dev.penstock.query.sql.statement.BoundComparison;
import dev.penstock.query.sql.statement.Capability;
import dev.penstock.query.sql.statement.Dialect;
import dev.penstock.query.sql.statement.ResultLayout;
import dev.penstock.query.sql.statement.ResultSizePredictor;
import dev.penstock.query.sql.statement.SqlColumn;
import dev.penstock.query.sql.statement.SqlQuery;
import dev.penstock.query.sql.statement.SqlTable;
import dev.penstock.query.sql.statement.SqlTemplate;
import dev.penstock.query.sql.statement.WideColumns;
import dev.penstock.query.sql.statement.WindowParameters;
import java.lang.management.ManagementFactory;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A check at connection time that a driver hands out rows before it has read them all. It runs a query of many rows,
 * reads a few of them, and looks at how many bytes the reading thread has allocated meanwhile: a bounded fetch comes
 * nowhere near the whole answer. Then it reads the rest: a query that is cancelled costs its connection, and a pool
 * that loses one without having been asked warns of it.
 */
final class StreamingProbe {
    /**
     * Some 2 MB as text: more than any batch, and not too much to read, or for a small heap where it is buffered after
     * all.
     */
    private static final int ROWS = 10_000;

    private static final int READ = 10;
    private static final int ATTEMPTS = 3;
    private static final long MOST_BYTES = 1L << 20;

    private static final System.Logger LOG = System.getLogger("dev.penstock.query.sql");

    private final ConnectionSource connections;
    private final Dialect dialect;
    private final String driver;

    StreamingProbe(ConnectionSource connections, Dialect dialect, String driver) {
        this.connections = connections;
        this.dialect = dialect;
        this.driver = driver;
    }

    /** Throws where the driver buffers. */
    void check() {
        if (!(ManagementFactory.getThreadMXBean() instanceof ThreadMXBean threads)
                || !threads.isThreadAllocatedMemorySupported()) {
            return;
        }
        // Allocation is only counted for platform threads.
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        AtomicReference<Long> bytes = new AtomicReference<>(0L);
        Thread reader =
                Thread.ofPlatform()
                        .name("penstock-probe")
                        .unstarted(() -> {
                            try {
                                read(READ, threads); // loads classes
                                long few = read(READ, threads);
                                bytes.set(least(few, threads));
                            } catch (RuntimeException | Error e) {
                                failure.set(e);
                            }
                        });
        reader.start();
        try {
            reader.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new QueryException(QueryException.Kind.CANCELLED, "interrupted at the start", e);
        }
        switch (failure.get()) {
            case null -> {}
            case OutOfMemoryError _ -> throw buffers(Long.MAX_VALUE);
            case Error e -> throw e;
            case QueryException e when isRefusal(e) -> {
                LOG.log(
                        System.Logger.Level.WARNING,
                        "whether the driver {0} streams is not known: {1}",
                        driver,
                        e.getMessage());
                return;
            }
            case QueryException e -> throw e;
            case Throwable e ->
                    throw new QueryException(QueryException.Kind.DATABASE, "the check failed", e);
        }
        if (bytes.get() > MOST_BYTES) {
            throw buffers(bytes.get());
        }
    }

    /**
     * Returns the least of several measurements: a driver that buffers does so every time; opening a connection may
     * take a lot once.
     */
    private long least(long few, ThreadMXBean threads) {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < ATTEMPTS && least > MOST_BYTES; i++) {
            least = Math.min(least, read(ROWS, threads) - few);
        }
        return least;
    }

    /** Returns whether an unknown database does not speak the SQL of the check; that says nothing of its driver. */
    private boolean isRefusal(QueryException failure) {
        return !dialect.has(Capability.TESTED)
                && failure.kind() == QueryException.Kind.DATABASE
                && failure.getCause() instanceof SQLException;
    }

    /** Allocated bytes from before the connection to after the first rows. */
    private long read(int rows, ThreadMXBean threads) {
        long before = threads.getCurrentThreadAllocatedBytes();
        Column number = new Column("i", ColumnType.LONG, "bigint", false, 20);
        Column text = new Column("x", ColumnType.TEXT, "text", false, 200);
        Table table =
                new Table(null, "(the check of streaming)", List.of(number, text), List.of(), true);
        List<SqlColumn> sources =
                List.of(SqlColumn.plain(number, "i", "?", ""), SqlColumn.plain(text, "x", "?", ""));
        String sql = dialect.probe(rows);
        SqlTable scope = new SqlTable(table, "s", sources);
        SqlTemplate template =
                new SqlTemplate(
                        scope,
                        sql,
                        sql,
                        List.of(),
                        List.of(),
                        table.columns(),
                        sources,
                        WideColumns.NONE,
                        WindowParameters.NONE,
                        new SqlTemplate.Traits(false, true),
                        ResultLayout.of(scope, table.columns(), sources, WideColumns.NONE, false),
                        new ResultSizePredictor());
        SqlQuery query = template.query(new BoundComparison[0]);
        try (RowCursor cursor =
                CursorFactory.cursor(dialect, new Session(connections), query, null)) {
            for (int i = 0; i < READ && cursor.next(); i++) {
                if (cursor.text(1) == null) {
                    throw new QueryException(
                            QueryException.Kind.DATABASE, "the check of streaming read NULL");
                }
            }
            long bytes = threads.getCurrentThreadAllocatedBytes() - before;
            while (cursor.next()) {}
            return bytes;
        }
    }

    private QueryException buffers(long bytes) {
        String read = bytes == Long.MAX_VALUE ? "all the heap" : bytes + " bytes of heap";
        return new QueryException(
                QueryException.Kind.NOT_STREAMING,
                "the driver %s reads whole results into memory (%s for the first %d of %d rows); %s"
                        .formatted(driver, read, READ, ROWS, dialect.streamingRemedy()));
    }
}
