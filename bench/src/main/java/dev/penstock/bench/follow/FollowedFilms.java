package dev.penstock.bench.follow;

import static java.util.Objects.requireNonNull;

import com.zaxxer.hikari.HikariDataSource;
import dev.penstock.bench.server.DatabaseAddress;
import dev.penstock.databases.TestDatabase;
import dev.penstock.films.Film;
import dev.penstock.follow.MariaDbFeed;
import dev.penstock.follow.PostgresFeed;
import dev.penstock.query.sql.Database;
import dev.penstock.query.typed.TypedTable;
import dev.penstock.snapshot.ChangeFeed;
import dev.penstock.snapshot.ScheduledRefresh;
import dev.penstock.snapshot.Snapshot;
import dev.penstock.snapshot.TableStatistics;
import java.io.Serializable;
import java.time.Duration;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** A process with films in memory that follow their database, and with readers that ask them. Empty until loaded. */
final class FollowedFilms {
    private static final int CONNECTIONS = 4;

    /** The pause between two refreshes. */
    private static final Duration PAUSE = Duration.ofMillis(50);

    /** The bytes that a film may take outside the heap, some three times what it takes with its indexes. */
    private static final long FILM_BYTES = 200;

    private static final long MEMORY = 1 << 24;

    private final Database database;
    private final DatabaseAddress address;
    private final TestDatabase.Kind kind;
    private final long films;
    private @Nullable Snapshot snapshot;
    private @Nullable ScheduledRefresh refreshes;
    private @Nullable Readers readers;

    /**
     * Connects.
     *
     * @param films how many the database has
     */
    FollowedFilms(DatabaseAddress address, TestDatabase.Kind kind, long films) {
        HikariDataSource pool = address.pool(CONNECTIONS);
        database = DatabaseAddress.engine(pool);
        this.address = address;
        this.kind = kind;
        this.films = films;
    }

    /**
     * A loading.
     *
     * @param nanos the time that it took
     * @param bytes what tables and indexes take outside the heap
     */
    record Loaded(double nanos, long bytes) implements Serializable {}

    /** Loads the films, asks them until the indexes are there, and begins to follow. */
    Loaded load() throws InterruptedException, ExecutionException {
        long start = System.nanoTime();
        Snapshot loaded =
                Snapshot.of(database)
                        .table(Film.TABLE)
                        .index(Film.TABLE, Film.LENGTH)
                        .index(Film.TABLE, Film.RATING)
                        .memory(MEMORY + films * FILM_BYTES)
                        .memoryOnly()
                        .follow(feed())
                        .load();
        snapshot = loaded;
        long nanos = System.nanoTime() - start;
        readers = new Readers(loaded.table(Film.TABLE), films);
        readers.adjust();
        refreshes = loaded.refreshOnChanges(PAUSE);
        return new Loaded(nanos, bytes());
    }

    /** Begins or ends to refresh; what was missed is brought in at the beginning. */
    void setRefreshing(boolean on) {
        ScheduledRefresh running = refreshes;
        if (!on && running != null) {
            running.close();
            refreshes = null;
        } else if (on && running == null) {
            refreshes = snapshot().refreshOnChanges(PAUSE);
        }
    }

    /** Has the readers use their part of the processors anew, while nothing changes. */
    void adjust() throws InterruptedException, ExecutionException {
        requireNonNull(readers).adjust();
    }

    private ChangeFeed feed() {
        Properties properties = new Properties();
        properties.setProperty("user", address.user());
        properties.setProperty("password", address.password());
        return switch (kind) {
            case POSTGRESQL ->
                    PostgresFeed.builder(address.url(), properties).dropOnClose(true).build();
            case MARIADB -> MariaDbFeed.of(address.url(), properties);
            case MYSQL, H2 ->
                    throw new IllegalArgumentException("there is no feed of changes of " + kind);
        };
    }

    private Snapshot snapshot() {
        return requireNonNull(snapshot);
    }

    /** Returns what the newest version takes outside the heap, with its indexes. */
    private long bytes() {
        long bytes = 0;
        for (TableStatistics table : snapshot().statistics()) {
            bytes += table.bytes();
            for (TableStatistics.IndexStatistics index : table.indexes()) {
                bytes += index.bytes();
            }
        }
        return bytes;
    }

    /**
     * The turns of the readers in some time, and the moments at which changes could be seen.
     *
     * @param median of the turns, in nanoseconds
     * @param p99 of the turns, in nanoseconds
     * @param longest of the turns, in nanoseconds
     * @param use the part of the processors' time that the readers used
     * @param versions how many were published
     * @param refreshNanos the time that the last refresh took
     * @param most the most memory that was taken outside the heap
     * @param shown when the first film had changed by each transaction, see {@link FilmChanges#now}
     */
    record Seen(
            double median,
            double p99,
            double longest,
            double use,
            long versions,
            double refreshNanos,
            long most,
            TreeMap<Long, Long> shown)
            implements Serializable {}

    /** Asks for so long, and looks at the first film meanwhile. */
    Seen read(Duration time) throws InterruptedException, ExecutionException {
        long first = snapshot().version().number();
        Watch watch = new Watch();
        Thread thread = Thread.ofPlatform().name("watch").start(watch::run);
        Readers.Seen seen = requireNonNull(readers).read(time);
        watch.isEnded = true;
        thread.join();
        Histogram lateness = seen.lateness();
        return new Seen(
                lateness.getValueAtPercentile(50),
                lateness.getValueAtPercentile(99),
                lateness.getMaxValue(),
                seen.use(),
                snapshot().version().number() - first,
                snapshot().version().took().toNanos(),
                watch.most,
                watch.shown);
    }

    /** Waits until a transaction can be seen, or the time is over. Returns the number of the last that can be. */
    long await(long number, Duration most) throws InterruptedException {
        long end = System.nanoTime() + most.toNanos();
        long last = last();
        while (last < number && System.nanoTime() < end) {
            Thread.sleep(10);
            last = last();
        }
        return last;
    }

    /** Returns the number of the last transaction that can be seen. */
    private long last() {
        TypedTable<Film> table = snapshot().table(Film.TABLE);
        return FilmChanges.number(table.find(Film.FILM_ID.equal(1)).orElseThrow().lastUpdate());
    }

    /** Ends the refreshes, and drops what following needs in the database. */
    void close() {
        setRefreshing(false);
        snapshot().close();
    }

    /** A look every few milliseconds at the memory, and at the first film. */
    private final class Watch {
        private static final long PAUSE_MILLIS = 5;

        private final TreeMap<Long, Long> shown = new TreeMap<>();
        private volatile long most;
        private volatile boolean isEnded;

        void run() {
            try {
                long before = last();
                while (!isEnded) {
                    most = Math.max(most, snapshot().memoryUsed());
                    long now = last();
                    if (now != before) {
                        shown.put(now, FilmChanges.now());
                        before = now;
                    }
                    Thread.sleep(PAUSE_MILLIS);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
