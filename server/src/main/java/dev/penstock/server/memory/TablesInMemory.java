package dev.penstock.server.memory;

import dev.penstock.query.Engine;
import dev.penstock.query.QueryException;
import dev.penstock.query.Schema;
import dev.penstock.query.sql.Database;
import dev.penstock.server.config.MemorySettings;
import dev.penstock.server.config.StartupException;
import dev.penstock.server.config.TableColumns;
import dev.penstock.server.log.FirstSentence;
import dev.penstock.server.log.ProgressBar;
import dev.penstock.snapshot.ChangeFeed;
import dev.penstock.snapshot.ScheduledRefresh;
import dev.penstock.snapshot.Snapshot;
import dev.penstock.snapshot.TableStatistics;
import dev.penstock.snapshot.Version;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The tables that are answered from memory, and their refreshing. Thread-safe. */
public final class TablesInMemory implements AutoCloseable {
    /** The name of the file in the directory of the settings. */
    private static final String FILE = "tables.penstock";

    /** The least time from one version to the next where changes are followed. */
    private static final Duration PAUSE = Duration.ofMillis(200);

    private final MemorySettings settings;
    private final @Nullable FeedSource feeds;

    /**
     * The current tables; after a change of the schema the previous ones, for their statistics, until they are loaded
     * again.
     */
    private volatile Snapshot snapshot;

    private volatile Schema schema;
    private volatile @Nullable ScheduledRefresh refresh;
    private volatile @Nullable SavedTables saved;

    /** What tells the snapshot of changes; null where none are followed. */
    private volatile @Nullable ChangeFeed feed;

    private volatile boolean dropped;
    private boolean closed;

    /** Until signals are heard otherwise; null where no changes are followed. */
    private @Nullable LoadingEnd loadingEnd;

    /**
     * The state at one moment.
     *
     * @param tables the statistics of one version
     * @param version that version
     * @param isFromFile whether the newest version is as a file has it, and is being brought up to date
     * @param usedBytes the memory of all versions, their indexes, and what is being loaded
     */
    public record State(
            Schema schema,
            List<TableStatistics> tables,
            Version version,
            boolean isFromFile,
            long usedBytes,
            long limitBytes,
            Refreshes refreshes) {}

    /**
     * The state of refreshing.
     *
     * @param every the interval; null for never
     * @param position the place in the database's log up to which changes were followed; null where they are not
     * @param failures the number since the last success
     * @param lastFailure the reason of the last failure, fit for anyone to read; null after a success
     */
    public record Refreshes(
            @Nullable Duration every,
            @Nullable String position,
            int failures,
            @Nullable String lastFailure) {}

    private TablesInMemory(
            Snapshot snapshot,
            Schema schema,
            MemorySettings settings,
            @Nullable FeedSource feeds,
            @Nullable ChangeFeed feed) {
        this.snapshot = snapshot;
        this.schema = schema;
        this.settings = settings;
        this.feeds = feeds;
        this.feed = feed;
        refresh = refreshing(snapshot);
        saved = saving(snapshot);
    }

    private @Nullable ScheduledRefresh refreshing(Snapshot of) {
        if (settings.follow() != null) {
            return of.refreshOnChanges(PAUSE);
        }
        Duration interval = settings.refreshInterval();
        return interval == null ? null : of.refreshEvery(interval);
    }

    private @Nullable SavedTables saving(Snapshot of) {
        return settings.directory() == null ? null : SavedTables.start(of);
    }

    private static Snapshot.Builder builder(
            Database database, MemorySettings settings, @Nullable ChangeFeed feed) {
        Snapshot.Builder builder = Snapshot.of(database).memory(settings.maxBytes());
        if (feed != null) {
            builder.follow(feed);
        }
        Path directory = settings.directory();
        return directory == null ? builder : builder.file(directory.resolve(FILE));
    }

    /**
     * Loads the tables.
     *
     * @param feeds tell of changes; null where none are followed
     * @throws StartupException if there is no such table, column or index, or they don't fit the memory
     */
    public static TablesInMemory load(
            Database database, MemorySettings settings, @Nullable FeedSource feeds) {
        ChangeFeed feed = feeds == null ? null : feeds.feed();
        if (feed == null) {
            return load(database, settings, null, null);
        }
        LoadingEnd end = LoadingEnd.of(feed);
        try {
            TablesInMemory loaded = load(database, settings, feeds, feed);
            end.check();
            loaded.loadingEnd = end;
            return loaded;
        } catch (RuntimeException | Error e) {
            end.close();
            end.check();
            throw e;
        }
    }

    /** Leaves signals to whoever hears them from now on, and closes this after one. */
    public synchronized void started() {
        LoadingEnd end = loadingEnd;
        if (end != null) {
            end.close();
            loadingEnd = null;
        }
    }

    private static TablesInMemory load(
            Database database,
            MemorySettings settings,
            @Nullable FeedSource feeds,
            @Nullable ChangeFeed feed) {
        Snapshot.Builder builder = builder(database, settings, feed);
        new TableChoice(settings, database.schema()).addAll(builder);
        LoadProgress progress = new LoadProgress(database.schema(), ProgressBar.onStandardError());
        try {
            Snapshot snapshot = builder.progress(progress).load();
            if (snapshot.isFromFile()) {
                progress.fromFile(snapshot.version());
            }
            // What is loaded from now on, beside the answers, is not shown.
            progress.end();
            return new TablesInMemory(snapshot, database.schema(), settings, feeds, feed);
        } catch (QueryException e) {
            throw refusal(e, settings);
        } finally {
            progress.end();
        }
    }

    private static StartupException refusal(QueryException failure, MemorySettings settings) {
        String why = FirstSentence.one(failure.getMessage());
        String indexes = settings.indexes().isEmpty() ? "" : ", or in --index";
        return new StartupException(
                failure.kind() == QueryException.Kind.MEMORY_LIMIT
                        ? why + ": raise --memory, or name fewer tables in --accelerate" + indexes
                        : why,
                failure);
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
                        .map(TableColumns::name)
                        .anyMatch(name -> !next.table(name).equals(schema.table(name)));
    }

    /** Lets the database answer for the tables, and stops refreshing them. */
    public synchronized void drop() {
        dropped = true;
        ScheduledRefresh running = refresh;
        if (running != null) {
            running.close();
        }
        SavedTables keeper = saved;
        if (keeper != null) {
            keeper.stop();
        }
        ChangeFeed told = feed;
        if (told != null) {
            // The next one goes on in its place.
            told.close();
        }
    }

    /**
     * Loads the tables that still exist again, from a database whose schema has changed; of chosen columns and declared
     * indexes those that still exist. Returns when they are loaded.
     *
     * @throws QueryException if they can't be read, or don't fit the memory
     */
    public void loadAgain(Database database) {
        Schema next = database.schema();
        ChangeFeed nextFeed = feeds == null ? null : feeds.feed();
        Snapshot.Builder builder = builder(database, settings, nextFeed);
        if (!new TableChoice(settings, next).addExisting(builder)) {
            return;
        }
        Snapshot loaded = loadedNow(builder);
        synchronized (this) {
            if (closed) {
                loaded.close();
                return;
            }
            // The previous one is not closed, as it may be read at this moment. Nothing refreshes
            // it
            // any more, and its memory is freed when nobody refers to it.
            snapshot = loaded;
            feed = nextFeed;
            schema = next;
            refresh = refreshing(loaded);
            saved = saving(loaded);
            dropped = false;
        }
    }

    /** Loads the tables as they are now: the database has answered for them meanwhile, and a file may be older. */
    private static Snapshot loadedNow(Snapshot.Builder builder) {
        Snapshot loaded = builder.load();
        try {
            if (loaded.isFromFile()) {
                loaded.refresh();
            }
            return loaded;
        } catch (RuntimeException | Error e) {
            loaded.close();
            throw e;
        }
    }

    /** Returns the current state. It reads every cell of columns that are new or have changed since the last call. */
    public State state() {
        List<TableStatistics> tables = snapshot.statistics();
        return new State(
                schema,
                tables,
                tables.getFirst().version(),
                snapshot.isFromFile() && !dropped,
                snapshot.memoryUsed(),
                settings.maxBytes(),
                refreshes());
    }

    private Refreshes refreshes() {
        ScheduledRefresh running = refresh;
        int failures = running == null ? 0 : running.failures();
        RuntimeException failure = running == null ? null : running.lastFailure().orElse(null);
        SavedTables keeper = saved;
        if (failure == null && keeper != null && !dropped && snapshot.isFromFile()) {
            failures = keeper.failures();
            failure = keeper.lastFailure();
        }
        return new Refreshes(
                settings.refreshInterval(),
                // Behind the place there may be what else the feed needs to go on.
                snapshot.position().map(position -> position.split(" ", 2)[0]).orElse(null),
                failures,
                failure == null ? null : publicMessage(failure));
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

    /** Returns how long ago the tables were loaded, or were found to be as they are in the database. */
    public double ageSeconds() {
        Instant loaded = snapshot.version().loaded();
        ScheduledRefresh running = refresh;
        Instant known = running == null ? loaded : running.lastSuccess().orElse(loaded);
        Instant latest = known.isAfter(loaded) ? known : loaded;
        return Duration.between(latest, Instant.now()).toMillis() / 1e3;
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
        SavedTables keeper = saved;
        if (keeper != null) {
            keeper.stop();
        }
        try {
            snapshot.close();
            if (keeper != null) {
                keeper.close();
            }
        } finally {
            started();
        }
    }
}
