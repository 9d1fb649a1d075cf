package dev.penstock.bench.export;

import static java.util.Objects.requireNonNull;

import com.zaxxer.hikari.HikariDataSource;
import dev.penstock.bench.server.DatabaseAddress;
import dev.penstock.query.Aggregate;
import dev.penstock.query.Cursor;
import dev.penstock.query.Plan;
import dev.penstock.query.Plan.Item;
import dev.penstock.query.Plan.Order;
import dev.penstock.query.Predicate;
import dev.penstock.query.QueryException;
import dev.penstock.query.Table;
import dev.penstock.query.sql.Database;
import dev.penstock.snapshot.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Rows in memory, and long queries of them that are cancelled at random moments. For one thread. */
final class MemoryCancels {
    private static final int CONNECTIONS = 2;
    private static final long SEED = 11;
    private static final List<String> COLUMNS =
            List.of(
                    "l_orderkey",
                    "l_linenumber",
                    "l_partkey",
                    "l_extendedprice",
                    "l_shipdate",
                    "l_comment");

    /** A query that looks at all rows. */
    enum Question {
        SCAN("a regular expression over texts"),
        SORT("a sort by three columns"),
        GROUPS("a sum for each of many groups"),
        DISTINCT("different rows of two columns"),
        SUBQUERY("values of a subquery, then a count");

        private final String words;

        Question(String words) {
            this.words = words;
        }

        private Plan of(Table table) {
            Plan all = Plan.of(table);
            Item order = new Item("l_orderkey", "l_orderkey");
            Item line = new Item("l_linenumber", "l_linenumber");
            return switch (this) {
                case SCAN ->
                        all.where(new Predicate.Matches("l_comment", "(sly|bold).*(a|e)s$", 0))
                                .count();
                case SORT ->
                        all.orderBy(
                                        List.of(
                                                new Order("l_extendedprice", true, false),
                                                new Order("l_shipdate", false, false),
                                                new Order("l_orderkey", false, false)))
                                .select(List.of(order, line));
                case GROUPS ->
                        all.aggregate(
                                List.of(order),
                                List.of(
                                        Aggregate.of(
                                                Aggregate.Function.SUM, "l_extendedprice", "sum")));
                case DISTINCT -> all.distinct(List.of(order, line));
                case SUBQUERY -> {
                    Plan dear =
                            all.where(
                                            new Predicate.Comparison(
                                                    "l_linenumber",
                                                    Predicate.Comparator.GREATER,
                                                    2))
                                    .select(List.of(order));
                    yield all.where(new Predicate.InSubquery("l_orderkey", dear)).count();
                }
            };
        }

        /** Returns what it is, for people. */
        @Override
        public String toString() {
            return words;
        }
    }

    private final Database database;
    private final Table table;
    private final SplittableRandom random = new SplittableRandom(SEED);
    private @Nullable Snapshot rows;

    /** Connects. */
    MemoryCancels(DatabaseAddress source) {
        HikariDataSource pool = source.pool(CONNECTIONS);
        database = DatabaseAddress.engine(pool);
        table = database.table(LineitemDatabase.VIEW);
    }

    /** Loads the rows. Returns how many there are. */
    long load() {
        Snapshot loaded = Snapshot.of(database).table(table, COLUMNS).memoryOnly().load();
        rows = loaded;
        return loaded.version().rows();
    }

    /** The run of a query on a thread of its own. */
    private static final class Run implements AutoCloseable {
        private final Cursor cursor;
        private final Thread thread;
        private final long start;
        private volatile long end;
        private volatile boolean isCancelled;

        Run(Cursor cursor) {
            this.cursor = cursor;
            thread = Thread.ofPlatform().unstarted(this::read);
            start = System.nanoTime();
            thread.start();
        }

        private void read() {
            try {
                while (cursor.next()) {
                    // Only the time counts.
                }
            } catch (QueryException e) {
                isCancelled = e.kind() == QueryException.Kind.CANCELLED;
                if (!isCancelled) {
                    throw e;
                }
            } finally {
                end = System.nanoTime();
            }
        }

        long nanos() throws InterruptedException {
            thread.join();
            return end - start;
        }

        @Override
        public void close() {
            cursor.close();
        }
    }

    /**
     * Runs a query to its end some times, for its indexes and its code to be there.
     *
     * @return the nanoseconds of the last run
     */
    long whole(Question question, int times) throws InterruptedException {
        long nanos = 0;
        for (int i = 0; i < times; i++) {
            try (Run run = run(question)) {
                nanos = run.nanos();
            }
        }
        return nanos;
    }

    private Run run(Question question) {
        return new Run(requireNonNull(rows).engine().open(question.of(table)));
    }

    /**
     * Runs a query some times, each of which is cancelled at a random moment of what it takes.
     *
     * @param whole about how many nanoseconds it takes
     * @return the nanoseconds from each cancel to the query's end; none for runs that ended before
     */
    List<Double> cancelled(Question question, int times, long whole) throws InterruptedException {
        List<Double> nanos = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            try (Run run = run(question)) {
                long until = run.start + random.nextLong(Math.max(1, whole));
                for (long left = until - System.nanoTime(); left > 0; ) {
                    LockSupport.parkNanos(left);
                    left = until - System.nanoTime();
                }
                long cancel = System.nanoTime();
                run.cursor.cancel();
                run.thread.join();
                if (run.isCancelled) {
                    nanos.add((double) run.end - cancel);
                }
            }
        }
        return nanos;
    }
}
