package dev.penstock.server.memory;

import dev.penstock.query.Engine;
import dev.penstock.query.QueryException;
import dev.penstock.query.Schema;
import dev.penstock.query.Table;
import dev.penstock.query.sql.Database;
import dev.penstock.server.config.AcceleratedTable;
import dev.penstock.server.config.MemorySettings;
import dev.penstock.server.config.StartupException;
import dev.penstock.server.log.FirstSentence;
import dev.penstock.server.log.ProgressBar;
import dev.penstock.snapshot.ScheduledRefresh;
import dev.penstock.snapshot.Snapshot;
import dev.penstock.snapshot.TableStatistics;
import dev.penstock.snapshot.Version;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The tables that are answered from memory, and their refreshing. Thread-safe. */
public final class TablesInMemory implements AutoCloseable {
    private static final int MAX_NAMES = 50;

    private final MemorySettings settings;

    /**
     * The current tables; after a change of the schema the previous ones, for their statistics, until they are loaded
     * again.
     */
    private volatile Snapshot snapshot;

    private volatile Schema schema;
    private volatile @Nullable ScheduledRefresh refresh;
    private volatile boolean dropped;
    private boolean closed;

    /**
     * The state at one moment.
     *
     * @param tables the statistics of one version
     * @param version that version
     * @param usedBytes the memory of all versions, their indexes, and what is being loaded
     */
    public record State(
            Schema schema,
            List<TableStatistics> tables,
            Version version,
            long usedBytes,
            long limitBytes,
            Refreshes refreshes) {}

    /**
     * The state of refreshing.
     *
     * @param every the interval; null for never
     * @param failures the number since the last success
     * @param lastFailure the reason of the last failure, fit for anyone to read; null after a success
     */
    public record Refreshes(@Nullable Duration every, int failures, @Nullable String lastFailure) {}

    private TablesInMemory(Snapshot snapshot, Schema schema, MemorySettings settings) {
        this.snapshot = snapshot;
        this.schema = schema;
        this.settings = settings;
        refresh =
                settings.refreshInterval() == null
                        ? null
                        : snapshot.refreshEvery(settings.refreshInterval());
    }

    /**
     * Loads the tables.
     *
     * @throws StartupException if there is no such table, or they don't fit the memory
     */
    public static TablesInMemory load(Database database, MemorySettings settings) {
        Snapshot.Builder builder = Snapshot.of(database).memory(settings.maxBytes());
        settings.tables().forEach(each -> add(builder, database.schema(), each));
        LoadProgress progress = new LoadProgress(database.schema(), ProgressBar.onStandardError());
        try {
            Snapshot snapshot = builder.progress(progress).load();
            return new TablesInMemory(snapshot, database.schema(), settings);
        } catch (QueryException e) {
            throw refusal(e);
        } finally {
            progress.end();
        }
    }

    private static StartupException refusal(QueryException failure) {
        String why = FirstSentence.one(failure.getMessage());
        return new StartupException(
                failure.kind() == QueryException.Kind.MEMORY_LIMIT
                        ? why + ": raise --memory, or name fewer tables in --accelerate"
                        : why,
                failure);
    }

    private static Table table(Schema schema, String name) {
        return schema.table(name)
                .orElseThrow(() ->
                        new StartupException(
                                "--accelerate "
                                        + name
                                        + " is no table or view of the database: choose among "
                                        + names(schema)));
    }

    private static void add(Snapshot.Builder builder, Schema schema, AcceleratedTable each) {
        Table table = table(schema, each.name());
        for (String column : each.columns()) {
            if (schema.column(table, column).isEmpty()) {
                throw new StartupException(
                        "--accelerate %s: table %s has no column %s: choose among %s"
                                .formatted(
                                        each.name(),
                                        schema.shown(table),
                                        column,
                                        table.columns().stream()
                                                .map(known -> schema.shown(table, known))
                                                .collect(Collectors.joining(", "))));
            }
        }
        builder.table(table, each.columns());
    }

    private static String names(Schema schema) {
        int count = schema.tables().size();
        String names =
                schema.tables().stream()
                        .limit(MAX_NAMES)
                        .map(schema::shown)
                        .collect(Collectors.joining(", "));
        if (count == 0) {
            return "none, since this user can see no table in this schema";
        }
        return count > MAX_NAMES ? names + " and " + (count - MAX_NAMES) + " more" : names;
    }

    /** Returns an engine that answers from memory, and by another engine for all other tables. */
    public Engine engine(Engine others) {
        return dropped ? others : snapshot.engine(others);
    }

    /**
     * Returns whether the tables are to be loaded again for that schema: one of them differs in it or is missing, or
     * they were dropped for a schema before it, which this one may have undone.
     */
    public boolean isChangedBy(Schema next) {
        return dropped
                || settings.tables().stream()
                        .map(AcceleratedTable::name)
                        .anyMatch(name -> !next.table(name).equals(schema.table(name)));
    }

    /** Lets the database answer for the tables, and stops refreshing them. */
    public synchronized void drop() {
        dropped = true;
        ScheduledRefresh running = refresh;
        if (running != null) {
            running.close();
        }
    }

    /**
     * Loads the tables that still exist again, from a database whose schema has changed; of chosen columns those that
     * still exist. Returns when they are loaded.
     *
     * @throws QueryException if they can't be read, or don't fit the memory
     */
    public void loadAgain(Database database) {
        Schema next = database.schema();
        Snapshot.Builder builder = Snapshot.of(database).memory(settings.maxBytes());
        boolean isAny = false;
        for (AcceleratedTable each : settings.tables()) {
            Table table = next.table(each.name()).orElse(null);
            List<String> columns =
                    table == null
                            ? List.of()
                            : each.columns().stream()
                                    .filter(name -> next.column(table, name).isPresent())
                                    .toList();
            // Without any of its columns, it is left to the database.
            if (table != null && columns.isEmpty() == each.columns().isEmpty()) {
                builder.table(table, columns);
                isAny = true;
            }
        }
        if (!isAny) {
            return;
        }
        Snapshot loaded = builder.load();
        synchronized (this) {
            if (closed) {
                loaded.close();
                return;
            }
            // The previous one is not closed, as it may be read at this moment. Nothing refreshes
            // it
            // any more, and its memory is freed when nobody refers to it.
            snapshot = loaded;
            schema = next;
            refresh =
                    settings.refreshInterval() == null
                            ? null
                            : loaded.refreshEvery(settings.refreshInterval());
            dropped = false;
        }
    }

    /** Returns the current state. The first call for a version reads every cell. */
    public State state() {
        List<TableStatistics> tables = snapshot.statistics();
        return new State(
                schema,
                tables,
                tables.getFirst().version(),
                snapshot.memoryUsed(),
                settings.maxBytes(),
                refreshes());
    }

    private Refreshes refreshes() {
        ScheduledRefresh running = refresh;
        return running == null
                ? new Refreshes(null, 0, null)
                : new Refreshes(
                        settings.refreshInterval(),
                        running.failures(),
                        running.lastFailure().map(TablesInMemory::publicMessage).orElse(null));
    }

    /** Returns a failure as anyone may read it: the database's own message may tell too much. */
    private static String publicMessage(RuntimeException failure) {
        boolean isPublic =
                failure instanceof QueryException e && e.kind() == QueryException.Kind.MEMORY_LIMIT;
        return isPublic
                ? Optional.ofNullable(failure.getMessage()).orElse("")
                : "the database could not be read; the server's log says why";
    }

    /** Returns the memory of all versions, their indexes, and what is being loaded. */
    public long usedBytes() {
        return snapshot.memoryUsed();
    }

    public long limitBytes() {
        return settings.maxBytes();
    }

    /** Returns how long ago the tables were loaded. */
    public double ageSeconds() {
        return Duration.between(snapshot.version().loaded(), Instant.now()).toMillis() / 1e3;
    }

    /** Returns how many of the latest refreshes failed in a row. */
    public int refreshFailures() {
        return refreshes().failures();
    }

    public synchronized boolean isClosed() {
        return closed;
    }

    @Override
    public synchronized void close() {
        closed = true;
        snapshot.close();
    }
}
