package dev.penstock.snapshot.load;

import static java.util.Objects.requireNonNull;

import dev.penstock.query.Cursor;
import dev.penstock.query.Engine;
import dev.penstock.query.Plan;
import dev.penstock.query.QueryException;
import dev.penstock.query.Table;
import dev.penstock.query.sql.ConsistentView;
import dev.penstock.query.sql.Database;
import dev.penstock.snapshot.build.TableBuilder;
import dev.penstock.snapshot.column.StoredTable;
import dev.penstock.snapshot.memory.Memory;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.function.Supplier;

/**
 * A loader that copies tables of a database into memory, as they are at one moment: large ones in parts, over several
 * connections.
 *
 * @param database the database that has the tables
 * @param memory the memory that the copies take
 * @param connections the most connections that read at once
 */
public record TableLoader(Database database, Memory memory, int connections) {
    /** The number of rows that are read between two checks whether to go on. */
    private static final int BATCH = 256;

    /** The most parts of a table, each of one or more plans. */
    private static final int MOST_PARTS = 256;

    private static final ThreadFactory THREADS =
            Thread.ofPlatform().name("penstock-load-", 0).daemon().factory();

    /** A table that is being read, in parts. */
    private static final class Reading implements AutoCloseable {
        private final TableLoad load;
        private final Table table;
        private final boolean isTold;
        private final List<List<Plan>> plans;
        private final List<TableBuilder> builders = new ArrayList<>();
        private final List<Future<TableBuilder>> parts = new ArrayList<>();

        /** The failures of parts; one is added before other parts are stopped because of it. */
        private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

        Reading(TableLoad load, List<Plan> plans, Memory memory) {
            this.load = load;
            table = load.table();
            isTold = !load.isOfKeys() && !plans.isEmpty();
            this.plans = parts(plans);
            for (int i = 0; i < this.plans.size(); i++) {
                builders.add(
                        i == 0 ? new TableBuilder(table, memory) : builders.getFirst().sibling());
            }
        }

        /** Returns the plans in their order, in so few lists that each may have a builder. */
        private static List<List<Plan>> parts(List<Plan> plans) {
            int each = Math.ceilDiv(plans.size(), MOST_PARTS);
            List<List<Plan>> parts = new ArrayList<>();
            for (int i = 0; i < plans.size(); i += each) {
                parts.add(plans.subList(i, Math.min(plans.size(), i + each)));
            }
            return parts;
        }

        void begin(Database from, ExecutorService threads, LoadContext loading) {
            for (int i = 0; i < plans.size(); i++) {
                List<Plan> part = plans.get(i);
                TableBuilder builder = builders.get(i);
                parts.add(threads.submit(() -> read(from, part, builder, loading)));
            }
        }

        private TableBuilder read(
                Engine from, List<Plan> part, TableBuilder builder, LoadContext loading) {
            part.forEach(plan -> read(from, plan, builder, loading));
            return builder;
        }

        private void read(Engine from, Plan plan, TableBuilder builder, LoadContext loading) {
            try (Cursor cursor = from.open(plan)) {
                loading.begin(cursor);
                try {
                    int batch = 0;
                    while (cursor.next()) {
                        builder.add(cursor);
                        if (++batch == BATCH) {
                            count(batch, loading);
                            batch = 0;
                        }
                    }
                    count(batch, loading);
                } finally {
                    loading.end(cursor);
                }
            } catch (RuntimeException | Error e) {
                failures.add(e);
                loading.stop();
                throw e;
            }
        }

        private void count(int rows, LoadContext loading) {
            loading.read(rows);
            if (isTold) {
                loading.tell(table, rows);
            }
        }

        StoredTable end() throws InterruptedException, ExecutionException {
            if (load instanceof TableLoad.Unchanged(StoredTable before)) {
                return before;
            }
            TableBuilder all = parts.getFirst().get();
            for (Future<TableBuilder> part : parts.subList(1, parts.size())) {
                all.addAll(part.get());
            }
            return all.build();
        }

        @Override
        public void close() {
            builders.forEach(TableBuilder::close);
        }
    }

    /**
     * Reads tables, all as they are at one moment.
     *
     * @throws QueryException if a table can't be read, does not fit the memory, or the loading is stopped
     */
    public List<StoredTable> load(List<TableLoad> loads, LoadContext loading) {
        List<Table> tables = loads.stream().map(TableLoad::table).distinct().toList();
        return load(() -> database.view(connections, tables), () -> loads, loading);
    }

    /**
     * Reads the rows of tables that have changed, likewise, over one connection and without a lock of the tables.
     *
     * @param loads asked once the moment is fixed, so that they have all that was changed before it
     */
    public List<StoredTable> loadChanges(Supplier<List<TableLoad>> loads, LoadContext loading) {
        return load(database::view, loads, loading);
    }

    /** Reads these tables, one of which is long and read as a whole, likewise, over several connections. */
    public List<StoredTable> loadChanges(
            List<Table> tables, Supplier<List<TableLoad>> loads, LoadContext loading) {
        return load(() -> database.view(connections, tables), loads, loading);
    }

    private List<StoredTable> load(
            Supplier<ConsistentView> opened, Supplier<List<TableLoad>> loads, LoadContext loading) {
        List<Reading> readings = new ArrayList<>();
        try (ConsistentView view = opened.get()) {
            try (ExecutorService threads =
                    Executors.newFixedThreadPool(view.connections(), THREADS)) {
                return load(loads.get(), view, threads, readings, loading);
            } finally {
                // Nobody writes to them any more: the threads have ended.
                readings.forEach(Reading::close);
            }
        } catch (QueryException e) {
            // Not earlier: an interrupt would reach threads that still read, and their connections.
            if (e.getCause() instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            throw e;
        }
    }

    private List<StoredTable> load(
            List<TableLoad> loads,
            ConsistentView view,
            ExecutorService threads,
            List<Reading> readings,
            LoadContext loading) {
        try {
            // All plans before the first read: they ask the database, and a reader may hold its
            // only connection.
            for (TableLoad load : loads) {
                List<Plan> plans = load.plans(view.database(), view.connections());
                readings.add(new Reading(load, plans, memory));
            }
            readings.forEach(each -> each.begin(view.database(), threads, loading));
            return ended(readings, loading);
        } catch (RuntimeException | Error e) {
            loading.stop();
            throw e;
        }
    }

    private static List<StoredTable> ended(List<Reading> readings, LoadContext loading) {
        List<StoredTable> tables = new ArrayList<>();
        for (Reading reading : readings) {
            try {
                StoredTable table = reading.end();
                if (reading.isTold) {
                    loading.complete(table);
                }
                tables.add(table);
            } catch (InterruptedException e) {
                throw new QueryException(
                        QueryException.Kind.CANCELLED,
                        "the loading of table " + reading.table.name() + " was interrupted",
                        e);
            } catch (ExecutionException e) {
                throw failure(readings, reading.table, requireNonNull(e.getCause()));
            } catch (QueryException e) {
                throw of(reading.table, e);
            }
        }
        return tables;
    }

    /** Returns what failed first; others have been stopped because of that. */
    private static RuntimeException failure(
            List<Reading> readings, Table table, Throwable failure) {
        Throwable cause = failure;
        Table where = table;
        for (Reading reading : readings) {
            for (Throwable each : reading.failures) {
                if (isStopped(cause) && !isStopped(each)) {
                    cause = each;
                    where = reading.table;
                }
            }
        }
        return switch (cause) {
            case QueryException e -> of(where, e);
            case Error e -> throw e;
            case RuntimeException e -> e;
            case Throwable e -> new IllegalStateException(e);
        };
    }

    private static boolean isStopped(Throwable failure) {
        return failure instanceof QueryException e && e.kind() == QueryException.Kind.CANCELLED;
    }

    private static QueryException of(Table table, QueryException e) {
        return new QueryException(
                e.kind(),
                "loading table %s into memory failed: %s".formatted(table.name(), e.getMessage()),
                e);
    }
}
