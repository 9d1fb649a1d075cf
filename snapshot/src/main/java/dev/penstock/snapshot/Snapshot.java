package dev.penstock.snapshot;

import static java.util.Objects.requireNonNull;

import dev.penstock.query.Engine;
import dev.penstock.query.QueryException;
import dev.penstock.query.Table;
import dev.penstock.query.sql.Database;
import dev.penstock.query.typed.TypedTable;
import dev.penstock.query.typed.field.Entity;
import dev.penstock.query.typed.field.Field;
import dev.penstock.query.typed.field.TableSelection;
import dev.penstock.snapshot.load.LoadContext;
import dev.penstock.snapshot.load.RateLimiter;
import dev.penstock.snapshot.memory.Memory;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Tables of a database in memory, outside the heap, in columns: the same plans and streams are answered from there.
 * Queries of tables that are not in memory go to the database. Thread-safe.
 *
 * <p>What is in memory is a {@link Version}: all tables as they were at one moment, see {@link
 * dev.penstock.query.sql.ConsistentView} for what that takes of each database. {@link #refresh} loads another beside
 * it, and what is asked after that is answered from the new one; whoever still reads the old one reads it to its end.
 * The memory that only the old one has is given back when its last cursor or pin is closed, or else by the garbage
 * collector when nobody can reach it any more. So there must be room for two, and the JVM must allow it: {@code
 * -XX:MaxDirectMemorySize}, which is as much as the heap unless it is set.
 *
 * <p>Whoever made a snapshot closes it; using it after that is an {@link IllegalStateException}, while cursors that are
 * open are read on.
 */
public final class Snapshot implements AutoCloseable {
    private final Database database;
    private final @Nullable Following following;
    private final Memory memory;
    private final boolean isDatabaseAsked;
    private final KeptVersions versions;
    private final VersionMaker maker;
    private final List<ScheduledRefresh> schedules = new CopyOnWriteArrayList<>();
    private final Engine engine;

    private Snapshot(Builder builder) {
        database = builder.database;
        memory = new Memory(builder.memoryBytes);
        VersionLoader loader =
                new VersionLoader(
                        database,
                        List.copyOf(builder.sources.values()),
                        memory,
                        builder.connections);
        following = builder.feed == null ? null : new Following(builder.feed, loader);
        isDatabaseAsked = builder.isDatabaseAsked;
        versions = new KeptVersions(builder.kept);
        maker =
                new VersionMaker(
                        loader,
                        following,
                        builder.file == null ? null : new VersionStore(builder.file, loader),
                        versions,
                        builder.contexts(memory));
        engine =
                new RoutedEngine(database, versions::newest, versions.shortcuts(), isDatabaseAsked);
    }

    /**
     * Loads tables, or rows and columns of them ({@code Film.TABLE.where(…).columns(…)}), with the settings' defaults;
     * see {@link #of}.
     *
     * @throws QueryException if a table can't be read, or does not fit the memory
     * @throws IllegalArgumentException as {@link Builder#table(TableSelection)} does
     */
    public static Snapshot load(Database database, TableSelection<?>... tables) {
        Builder builder = of(database);
        for (TableSelection<?> table : tables) {
            builder.table(table);
        }
        return builder.load();
    }

    /**
     * Settings of a snapshot. The defaults: as much memory as the JVM allows outside the heap; two connections at once,
     * as fast as rows come; one version is kept; every refresh reads all rows; no index is declared; the database is
     * asked what memory can't answer; nobody is told of the progress; there is no file.
     */
    public static Builder of(Database database) {
        return new Builder(database);
    }

    LoadedVersion newest() {
        return versions.newest();
    }

    /**
     * Returns the table of an entity as a source of streams: from memory if it is there, else from the database. Of
     * a table of which not every row and column is in memory, streams that need others are the database's.
     *
     * @throws IllegalArgumentException if the schema does not fit the entity
     */
    public <R> TypedTable<R> table(Entity<R> entity) {
        LoadedVersion _ = newest();
        return TypedTable.of(engine, entity);
    }

    /**
     * Answers plans of any table of the database; each that is in memory from the newest version there is when its
     * cursor is opened.
     */
    public Engine engine() {
        return engine;
    }

    /**
     * Returns the same with another engine for the tables that are not in memory, such as the database over other
     * connections ({@link Database#over}).
     */
    public Engine engine(Engine others) {
        return new RoutedEngine(others, versions::newest, versions.shortcuts(), true);
    }

    /** Returns the newest version. */
    public Version version() {
        return newest().version();
    }

    /** Returns the versions that are kept, the newest first. */
    public List<Version> versions() {
        return versions.all().stream().map(LoadedVersion::version).toList();
    }

    /**
     * Returns the newest version by itself, for several queries that must agree: it stays what it is while others take
     * its place here. Its memory is free when it is closed, or else when nobody can reach it any more.
     */
    public PinnedVersion pin() {
        LoadedVersion newest = versions.acquired();
        return new PinnedVersion(newest, RoutedEngine.of(database, newest, isDatabaseAsked));
    }

    /**
     * Returns the engine of one version, for tables that are in memory; others go to the database. It keeps that
     * version in memory as long as it can be reached itself; {@link #pin} gives one that can be closed. A number that
     * {@link #version} gave may be that of a version that is no longer kept when it comes here; {@link #pin} takes the
     * newest version in one step.
     *
     * @throws IllegalArgumentException if no version of that number is kept
     */
    public Engine at(long number) {
        List<LoadedVersion> all = versions.all();
        for (LoadedVersion each : all) {
            if (each.version().number() == number && each.lifetime().acquire()) {
                return RoutedEngine.of(database, each, isDatabaseAsked).engine();
            }
        }
        throw new IllegalArgumentException(
                "version %d is not kept; those are: %s. For the newest, whichever it is, pin() takes it"
                        .formatted(
                                number,
                                all.stream().map(each -> each.version().number()).toList()));
    }

    /**
     * Loads a new version beside the newest one and puts it in its place. One refresh runs at a time; another waits,
     * also for one of a schedule, which takes up to three times as long for its rests. This one does not rest.
     *
     * @return the new version
     * @throws QueryException if a table can't be read or does not fit the memory; the version there was goes on serving
     */
    public Version refresh() {
        return maker.refresh();
    }

    /**
     * Writes the newest version, with the indexes that are there by now, in the place of what the file of the settings
     * holds. At any moment the file is as it was before or as it is after; who has it mapped is not disturbed. The
     * owner alone may read it. An interrupt ends it with a {@link java.nio.channels.ClosedByInterruptException}.
     *
     * @return the version that was written
     * @throws IllegalStateException if the settings have no file
     * @throws IOException if it can't be written, such as for want of space; it is as it was then
     */
    public Version save() throws IOException {
        return maker.save();
    }

    /**
     * Returns whether the newest version is the one with which this started from a file, and no refresh has brought it
     * up to date since.
     */
    public boolean isFromFile() {
        return newest().isFromFile();
    }

    /**
     * Refreshes again and again, on a thread of its own, until what is given is closed or this snapshot is. From one
     * refresh to the next it waits for the period, a tenth more or less by chance so that many servers don't all come
     * at once; after a failure twice as long as before, up to sixteen periods. Where little has changed, it rests while
     * it copies columns and indexes, and waits for the end of the version that went last, as {@link #refreshOnChanges}
     * does.
     *
     * @param period more than nothing
     */
    public ScheduledRefresh refreshEvery(Duration period) {
        LoadedVersion _ = newest();
        return scheduled(ScheduledRefresh.start(maker::refreshBeside, period));
    }

    /**
     * Refreshes as soon as the database's log tells of changes, on a thread of its own, until what is given is closed
     * or this snapshot is. While it copies columns and indexes, it rests twice as long as it works, so that queries
     * have the processors. From one refresh to the next it waits at least for the pause, and as long as the last one
     * took where it did not rest, or a quarter of that where this is more than 200 ms, which is the least then; after a
     * failure twice as long as before, up to sixteen times. Where the version that went last is still read, it
     * waits for the end of that too, a tenth of a second at the most. Where nothing changes, it refreshes once a
     * minute, so that the database may drop its log.
     *
     * @param pause more than nothing; such as 200 ms
     * @throws IllegalStateException if this follows no changes: see {@link Builder#follow}
     */
    public ScheduledRefresh refreshOnChanges(Duration pause) {
        LoadedVersion _ = newest();
        Following changes = following;
        if (changes == null) {
            throw new IllegalStateException(
                    "this snapshot is told of no changes: give its settings a feed by follow(…)");
        }
        return scheduled(
                ScheduledRefresh.start(
                        maker::refreshBeside, pause, changes.feed()::await, maker::sparedNanos));
    }

    private ScheduledRefresh scheduled(ScheduledRefresh schedule) {
        schedules.removeIf(ScheduledRefresh::isClosed);
        schedules.add(schedule);
        if (versions.areClosed()) {
            schedule.close();
        }
        return schedule;
    }

    /**
     * Returns the place in the database's log up to which the newest version has all changes, and perhaps later ones;
     * empty where none are followed.
     */
    public Optional<String> position() {
        LoadedVersion newest = newest();
        return following == null ? Optional.empty() : Optional.ofNullable(newest.position());
    }

    /**
     * Returns what each table takes, in the newest version. Counting different values looks at every cell of a column,
     * once until a refresh changes that column: that takes some two seconds for five million texts.
     */
    public List<TableStatistics> statistics() {
        LoadedVersion newest = versions.acquired();
        try {
            return newest.statistics();
        } finally {
            newest.lifetime().release();
        }
    }

    /**
     * Returns how many bytes outside the heap are in use: of all versions that are kept or read, their indexes, what is
     * being loaded, and what the garbage collector has not found yet.
     */
    public long memoryUsed() {
        return memory.used();
    }

    /**
     * Ends what is being loaded, forgets every version, and closes the feed that is followed. Closing twice does no
     * harm.
     */
    @Override
    public synchronized void close() {
        versions.close();
        maker.stop();
        schedules.forEach(ScheduledRefresh::close);
        Following changes = following;
        if (changes != null) {
            changes.feed().close();
        }
    }

    /** A builder of a snapshot from its settings; see {@link Snapshot#of}. Not thread-safe. */
    public static final class Builder {
        private final Database database;
        private final SourceFactory factory;
        private final Map<String, VersionLoader.Source> sources = new LinkedHashMap<>();
        private long memoryBytes = Long.MAX_VALUE;
        private int connections = 2;
        private long rowsASecond;
        private @Nullable Path file;
        private @Nullable ChangeFeed feed;
        private int kept = 1;
        private boolean isDatabaseAsked = true;
        private Progress.Listener listener = _ -> {};

        private Builder(Database database) {
            this.database = requireNonNull(database);
            factory = new SourceFactory(database);
        }

        /**
         * Loads the table of an entity, or some of its rows and columns; those of its key in any case.
         *
         * @throws IllegalArgumentException if the schema does not fit the entity, or the database can't do the
         *     condition by which rows are chosen
         */
        public Builder table(TableSelection<?> selection) {
            return put(factory.whole(selection));
        }

        /** Loads a table of the database's schema. */
        public Builder table(Table table) {
            return table(table, List.of());
        }

        /**
         * Loads some columns of a table of the database's schema, and those of its key.
         *
         * @param columns their names; none for all
         * @throws IllegalArgumentException if the table has no such column
         */
        public Builder table(Table table, List<String> columns) {
            return put(factory.whole(table, columns));
        }

        private Builder put(VersionLoader.Source source) {
            String name = source.part().whole().name();
            if (sources.putIfAbsent(name, source) != null) {
                throw new IllegalArgumentException(
                        "table %s is chosen twice: join the conditions by or, and name all columns once"
                                .formatted(name));
            }
            return this;
        }

        /**
         * Loads the table of an entity, or some of its rows and columns, and at a refresh only the rows in which a
         * field is not less than it was in any row before, or is null. It must grow with each change, in the order in
         * which the changes are committed: a row that comes with less than others that are there already is not found.
         * A row that no longer belongs to the chosen ones goes, and one that does by now comes. The field's column is
         * loaded in any case. Where rows are chosen and {@code deletes} is off, each refresh also reads the keys of all
         * other rows that are not less than the greatest chosen one: where the chosen ones seldom change, take {@code
         * deletes}.
         *
         * @param growing a whole number, a decimal, a date or a timestamp
         * @param deletes whether each refresh also reads all keys, to find rows that are gone; without that, they stay,
         *     and so does a row under its old key when its key is changed. With it, a key that no row is known for has
         *     all tables read again
         * @throws IllegalArgumentException as {@link #table(TableSelection)} does, and if the table has no key, or the
         *     field can't grow
         */
        public <R> Builder incremental(
                TableSelection<R> selection, Field<R, ?> growing, boolean deletes) {
            return put(factory.incremental(selection, growing, deletes));
        }

        /** Loads a table likewise, by a table and a column of the database's schema. */
        public Builder incremental(Table table, String growing, boolean deletes) {
            return put(factory.incremental(table, growing, deletes));
        }

        /**
         * Declares an index of a table that was chosen before: each version has it before it answers, the first one and
         * all that refreshing makes. Other indexes are built when they first pay, and where there is memory; a loading
         * without memory for a declared one fails. Of one field, it is the order of its rows, with how many there are
         * of each value; of several, their different rows with how many there are of each. One of several is left out
         * where it does not fit (the values are too many or too far apart, or texts kept by themselves): with a warning
         * in the log, or silently where the table has so few rows that they are looked at as quickly.
         *
         * @param fields in any order; loaded, all of them
         * @throws IllegalArgumentException if the table was not chosen, or a field's column is not loaded
         */
        @SafeVarargs
        public final <R> Builder index(Entity<R> entity, Field<R, ?>... fields) {
            List<String> columns = new ArrayList<>();
            for (Field<R, ?> field : fields) {
                columns.add(field.column());
            }
            return indexed(entity.table(), columns);
        }

        /**
         * Declares an index likewise, by a table and columns of the database's schema.
         *
         * @throws IllegalArgumentException if the table was not chosen, or has no such column in memory
         */
        public Builder index(Table table, List<String> columns) {
            return indexed(table.name(), columns);
        }

        private Builder indexed(String table, List<String> columns) {
            String name = database.table(table).name();
            VersionLoader.Source source = sources.get(name);
            if (source == null) {
                throw new IllegalArgumentException(
                        "an index of table %s is declared, which is not chosen: choose the table first"
                                .formatted(name));
            }
            sources.put(name, factory.indexed(source, columns));
            return this;
        }

        /**
         * Never asks the database for an answer: what memory has not is refused by name, with the remedy, as a {@link
         * QueryException} of kind {@code UNKNOWN_NAME}. {@link Snapshot#engine(Engine)} goes on to ask the engine that
         * it is given.
         */
        public Builder memoryOnly() {
            isDatabaseAsked = false;
            return this;
        }

        /**
         * Sets the most that everything takes outside the heap, in bytes: all versions that can be reached, their
         * indexes, and what is being loaded. A loading that would need more fails before it takes it.
         */
        public Builder memory(long bytes) {
            if (bytes < 1) {
                throw new IllegalArgumentException("memory of " + bytes + " bytes");
            }
            memoryBytes = bytes;
            return this;
        }

        /** Sets how many connections read at once, at the most; one more may be taken for wide cells. */
        public Builder connections(int connections) {
            if (connections < 1) {
                throw new IllegalArgumentException(connections + " connections");
            }
            this.connections = connections;
            return this;
        }

        /** Sets how many rows are read in a second, at the most; 0 for as many as come. */
        public Builder rate(long rowsASecond) {
            if (rowsASecond < 0) {
                throw new IllegalArgumentException("a rate of " + rowsASecond + " rows a second");
            }
            this.rowsASecond = rowsASecond;
            return this;
        }

        /** Sets who is told how far a loading is. */
        public Builder progress(Progress.Listener listener) {
            this.listener = requireNonNull(listener);
            return this;
        }

        /** Sets how many versions are kept, the newest one included; at least 1. */
        public Builder keep(int versions) {
            if (versions < 1) {
                throw new IllegalArgumentException(versions + " versions to keep");
            }
            kept = versions;
            return this;
        }

        /**
         * Starts from the version that a file holds, which {@link Snapshot#save} has written, where there is one: the
         * tables are there as they were then, as soon as the file was read once for its checksums. {@link
         * Snapshot#refresh} brings them up to date, those that are {@link #incremental} by what has changed since:
         * what such a refresh misses, rows that are gone without {@code deletes} and rows that are committed late,
         * is no longer healed by a restart. The file is mapped, so that several processes share its memory, which does
         * not count to {@link #memory}.
         *
         * <p>A file that is damaged, or of another database or user, other columns, types or keys or other chosen rows,
         * is refused with a warning in the log, and the tables are loaded. Other databases that come to stand at the
         * same address can't be told from this one: then the file has to be deleted.
         */
        public Builder file(Path file) {
            this.file = requireNonNull(file);
            return this;
        }

        /**
         * Follows the changes of all chosen tables, as a feed tells of them from the database's log: a refresh reads
         * the rows that were changed, and every version is the state of one moment, as it is without a feed. {@link
         * Snapshot#refreshOnChanges} refreshes when there are changes. With {@link #file}, a start goes on from the
         * saved version, and the log is kept until the next {@link Snapshot#save}: it has to be called now and then.
         * Else the log is kept until a version has the changes.
         *
         * @param feed of the same database, not started; the snapshot closes it, also if loading fails
         */
        public Builder follow(ChangeFeed feed) {
            this.feed = requireNonNull(feed);
            return this;
        }

        /**
         * Loads the first version, from the file of the settings or from the database.
         *
         * @throws QueryException if a table can't be read, or does not fit the memory; and if changes are to be
         *     followed and can't be
         * @throws IllegalArgumentException if changes are followed and a table is {@link #incremental}
         */
        public Snapshot load() {
            Snapshot snapshot = new Snapshot(this);
            boolean done = false;
            try {
                requireNoneIncremental();
                snapshot.maker.start();
                done = true;
            } finally {
                if (!done) {
                    snapshot.close();
                }
            }
            return snapshot;
        }

        /** Returns a maker of the context of each loading, with the settings as they are now. */
        private Supplier<LoadContext> contexts(Memory memory) {
            long most = rowsASecond;
            Progress.Listener told = listener;
            return () ->
                    new LoadContext(
                            memory,
                            new RateLimiter(most),
                            (table, rows, bytes, elapsed, done) ->
                                    told.loading(new Progress(table, rows, bytes, elapsed, done)));
        }

        private void requireNoneIncremental() {
            for (VersionLoader.Source source : sources.values()) {
                if (feed != null && source.growing() != null) {
                    throw new IllegalArgumentException(
                            ("table %s is incremental by column %s, and changes are followed, which tell more: choose"
                                            + " the table by table(…)")
                                    .formatted(source.part().whole().name(), source.growing()));
                }
            }
        }
    }
}
