package dev.penstock.server;

import dev.penstock.gateway.Gateway;
import dev.penstock.query.QueryException;
import dev.penstock.query.Schema;
import dev.penstock.query.sql.Database;
import dev.penstock.server.database.ConnectionPools;
import dev.penstock.server.memory.TablesInMemory;
import dev.penstock.server.page.HomePage;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The reading of the database's schema while the server runs: on a signal, by a request on the port of operations, and
 * when a query failed in a way that a change explains. Requests under way finish on the schema that they began with.
 * Tables in memory whose columns have changed are answered by the database until they are loaded again. Thread-safe.
 */
final class SchemaReload {
    private static final System.Logger LOG = System.getLogger("dev.penstock.server");

    /** Failing queries cause at most one reading in this time. */
    private static final Duration LEAST = Duration.ofSeconds(3);

    /** Between a failure to load tables again and the next try; twice as long after each. */
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);

    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(5);

    private final ConnectionPools pools;
    private final @Nullable String name;
    private final HomePage home;
    private final @Nullable TablesInMemory inMemory;

    /** Held while the schema is read and put to use. */
    private final ReentrantLock lock = new ReentrantLock();

    /** Held while tables are loaded again: one load after the other. */
    private final ReentrantLock loading = new ReentrantLock();

    private volatile Schema schema;
    private volatile long readNanos = System.nanoTime() - LEAST.toNanos();
    private volatile @Nullable Gateway gateway;

    /**
     * @param name the schema's name; null for the connection's own
     * @param database the database as it was read at the start
     * @param home the page that lists its tables
     */
    SchemaReload(
            ConnectionPools pools,
            @Nullable String name,
            Database database,
            HomePage home,
            @Nullable TablesInMemory inMemory) {
        this.pools = pools;
        this.name = name;
        this.schema = database.schema();
        this.home = home;
        this.inMemory = inMemory;
    }

    /** Sets the gateway that serves the tables. */
    void watch(Gateway gateway) {
        this.gateway = gateway;
    }

    /**
     * Reads the schema, puts it to use for requests that begin from now on, and returns whether it has changed.
     *
     * @throws QueryException if it can't be read; then everything stays as it was
     */
    boolean reload() {
        lock.lock();
        try {
            readNanos = System.nanoTime();
            Database database = pools.database(name);
            boolean changed = !database.schema().equals(schema);
            if (changed) {
                use(database);
            }
            return changed;
        } finally {
            lock.unlock();
        }
    }

    /** Does the same for a signal, and logs the outcome. */
    void reloadAndLog() {
        try {
            String outcome = reload() ? "It has changed" : "Nothing has changed";
            LOG.log(System.Logger.Level.INFO, "Read the schema again. " + outcome);
        } catch (QueryException e) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "The schema can't be read again; it stays as it was: " + e.getMessage());
        }
    }

    /** Does the same after a query that failed. Returns false if the schema was read a moment ago, or can't be read. */
    boolean reloadIfDue() {
        if (System.nanoTime() - readNanos < LEAST.toNanos() || !lock.tryLock()) {
            return false;
        }
        try {
            if (reload()) {
                LOG.log(
                        System.Logger.Level.INFO,
                        "A query failed; read the schema again. It has changed");
            }
            return true;
        } catch (QueryException e) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "A query failed, and the schema can't be read again: " + e.getMessage());
            return false;
        } finally {
            lock.unlock();
        }
    }

    private void use(Database database) {
        Schema next = database.schema();
        TablesInMemory changed = inMemory != null && inMemory.isChangedBy(next) ? inMemory : null;
        if (changed != null) {
            changed.drop();
        }
        schema = next;
        home.show(next);
        serve(database);
        if (changed != null) {
            var _ =
                    Thread.ofPlatform()
                            .daemon()
                            .name("penstock-load")
                            .start(() -> load(changed, database));
        }
    }

    private void serve(Database database) {
        Gateway serving = gateway;
        Database shortDatabase = pools.forShortRequests(database);
        if (serving != null) {
            serving.serve(
                    inMemory == null ? database : inMemory.engine(database),
                    inMemory == null ? shortDatabase : inMemory.engine(shortDatabase));
        }
    }

    /**
     * Loads the tables whose columns have changed again. Until that has succeeded, the database answers for them. A
     * failure is followed by another try, save where the memory does not suffice.
     */
    private void load(TablesInMemory tables, Database database) {
        Duration pause = FIRST_PAUSE;
        while (!tryToLoad(tables, database)) {
            try {
                Thread.sleep(pause);
            } catch (InterruptedException _) {
                return;
            }
            pause =
                    pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0
                            ? pause.multipliedBy(2)
                            : LONGEST_PAUSE;
        }
    }

    /** Tries to load them, unless the schema has changed once more. Returns whether another try is of no use. */
    private boolean tryToLoad(TablesInMemory tables, Database database) {
        loading.lock();
        try {
            return isOutdated(database) || tables.isClosed() || loadAlone(tables, database);
        } finally {
            loading.unlock();
        }
    }

    /** Returns whether the schema was read once more, and found changed: another thread loads the tables of that. */
    @SuppressWarnings("ReferenceEquality") // One that is equal may have been used in between.
    private boolean isOutdated(Database database) {
        return schema != database.schema();
    }

    private boolean loadAlone(TablesInMemory tables, Database database) {
        try {
            Optional<TablesInMemory.Reloaded> loaded = tables.loadAgain(pools.forLoading(database));
            use(tables, loaded, database);
            return true;
        } catch (RuntimeException | OutOfMemoryError e) {
            boolean tooLarge = isTooLarge(e);
            LOG.log(
                    System.Logger.Level.WARNING,
                    "Tables in memory can't be loaded again; the database answers for them"
                            + (tooLarge ? ": " : " until another try succeeds: ")
                            + e.getMessage());
            return tooLarge;
        }
    }

    private void use(
            TablesInMemory tables, Optional<TablesInMemory.Reloaded> loaded, Database database) {
        lock.lock();
        try {
            // Not where the schema has changed once more meanwhile.
            if (isOutdated(database)) {
                loaded.ifPresent(TablesInMemory.Reloaded::discard);
            } else {
                loaded.ifPresent(tables::use);
                serve(database);
            }
        } finally {
            lock.unlock();
        }
    }

    private static boolean isTooLarge(Throwable failure) {
        return failure instanceof OutOfMemoryError
                || (failure instanceof QueryException known
                        && known.kind() == QueryException.Kind.MEMORY_LIMIT);
    }
}
