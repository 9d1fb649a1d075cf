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
import dev.penstock.snapshot.PinnedVersion;
import dev.penstock.snapshot.RefreshFailures;
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

    private volatile Current current;
    private boolean closed;

    /** Until signals are heard otherwise; null where no changes are followed. */
    private @Nullable LoadingEnd loadingEnd;

    /**
     * The tables in use at one moment, and what keeps them up to date. Whoever answers takes one, so that all that is
     * told is of the same moment.
     *
     * @param snapshot the tables; after a change of the schema the previous ones, for their statistics, until they are
     *     loaded again
     * @param schema that of the tables
     * @param refresh null where they are never refreshed
     * @param saved null where they have no file
     * @param feed what tells the snapshot of changes; null where none are followed
     * @param isDropped whether the database answers for them, until they are loaded again
     */
    private record Current(
            Snapshot snapshot,
            Schema schema,
            @Nullable ScheduledRefresh refresh,
            @Nullable SavedTables saved,
            @Nullable ChangeFeed feed,
            boolean isDropped) {
        Current dropped() {
            return new Current(snapshot, schema, refresh, saved, feed, true);
        }
    }

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
        this.settings = settings;
        this.feeds = feeds;
        current = current(snapshot, schema, feed);
    }

    /** Begins to refresh tables, and to save them. */
    private Current current(Snapshot of, Schema schema, @Nullable ChangeFeed feed) {
        return new Current(of, schema, refreshing(of), saving(of), feed, false);
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
        Current now = current;
        return now.isDropped ? others : now.snapshot.engine(others);
    }

    /**
     * Returns whether the tables are to be loaded again for that schema: one of them differs in it or is missing, or
     * they were dropped for a schema before it, which this one may have undone.
     */
    public boolean isChangedBy(Schema next) {
        Current now = current;
        return now.isDropped
                || settings.tables().stream()
                        .map(TableColumns::name)
                        .anyMatch(name -> !next.table(name).equals(now.schema.table(name)));
    }

    /** Lets the database answer for the tables, and stops refreshing them. */
    public synchronized void drop() {
        Current last = current.dropped();
        current = last;
        if (last.refresh != null) {
            last.refresh.close();
        }
        if (last.saved != null) {
            last.saved.stop();
        }
        if (last.feed != null) {
            // The next one goes on in its place.
            last.feed.close();
        }
    }

    /**
     * Tables that were loaded again. They are put to use or discarded, once.
     *
     * @param schema of the database that they were read from
     * @param feed what tells the snapshot of changes; null where none are followed
     */
    public record Reloaded(Snapshot snapshot, Schema schema, @Nullable ChangeFeed feed) {
        /** Frees them, which nobody uses. */
        public void discard() {
            snapshot.close();
        }
    }

    /**
     * Loads the tables that still exist again, from a database whose schema has changed; of chosen columns and declared
     * indexes those that still exist. Returns when they are loaded.
     *
     * @return empty where none of them exists
     * @throws QueryException if they can't be read, or don't fit the memory
     */
    public Optional<Reloaded> loadAgain(Database database) {
        Schema next = database.schema();
        ChangeFeed nextFeed = feeds == null ? null : feeds.feed();
        Snapshot.Builder builder = builder(database, settings, nextFeed);
        return new TableChoice(settings, next).addExisting(builder)
                ? Optional.of(new Reloaded(loadedNow(builder), next, nextFeed))
                : Optional.empty();
    }

    /**
     * Answers from tables that were loaded again, and keeps them up to date; if this is closed by now, or fails, they
     * are discarded.
     */
    public synchronized void use(Reloaded next) {
        if (closed) {
            next.discard();
            return;
        }
        // The previous snapshot is not closed, as it may be read at this moment. Nothing refreshes
        // it any more, and its memory is freed when nobody refers to it.
        try {
            current = current(next.snapshot, next.schema, next.feed);
        } catch (RuntimeException | Error e) {
            next.discard();
            throw e;
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
        Current now = current;
        try (PinnedVersion newest = now.snapshot.pin()) {
            return new State(
                    now.schema,
                    newest.statistics(),
                    newest.version(),
                    newest.isFromFile() && !now.isDropped,
                    now.snapshot.memoryUsed(),
                    settings.maxBytes(),
                    refreshes(now, newest));
        }
    }

    private Refreshes refreshes(Current now, PinnedVersion newest) {
        RefreshFailures failures = failures(now, newest);
        RuntimeException last = failures.last();
        return new Refreshes(
                settings.refreshInterval(),
                // Behind the place there may be what else the feed needs to go on.
                now.feed == null
                        ? null
                        : newest.position().map(place -> place.split(" ", 2)[0]).orElse(null),
                failures.inARow(),
                last == null ? null : publicMessage(last));
    }

    /** Returns those of refreshing, or of bringing tables of a file up to date. */
    private static RefreshFailures failures(Current now, PinnedVersion newest) {
        RefreshFailures failures =
                now.refresh == null ? RefreshFailures.NONE : now.refresh.failures();
        return failures.last() == null && now.saved != null && !now.isDropped && newest.isFromFile()
                ? now.saved.failures()
                : failures;
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
        return current.snapshot.memoryUsed();
    }

    public long limitBytes() {
        return settings.maxBytes();
    }

    /** Returns how long ago the tables were loaded, or were found to be as they are in the database. */
    public double ageSeconds() {
        Current now = current;
        Instant loaded = now.snapshot.version().loaded();
        Instant known = now.refresh == null ? loaded : now.refresh.lastSuccess().orElse(loaded);
        Instant latest = known.isAfter(loaded) ? known : loaded;
        return Duration.between(latest, Instant.now()).toMillis() / 1e3;
    }

    /** Returns how many of the latest refreshes failed in a row. */
    public int refreshFailures() {
        Current now = current;
        try (PinnedVersion newest = now.snapshot.pin()) {
            return failures(now, newest).inARow();
        }
    }

    public synchronized boolean isClosed() {
        return closed;
    }

    @Override
    public synchronized void close() {
        closed = true;
        Current last = current;
        SavedTables keeper = last.saved;
        if (keeper != null) {
            keeper.stop();
        }
        try {
            last.snapshot.close();
            if (keeper != null) {
                keeper.close();
            }
        } finally {
            started();
        }
    }
}
