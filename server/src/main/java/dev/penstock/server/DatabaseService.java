package dev.penstock.server;

import dev.penstock.format.RowFormat;
import dev.penstock.gateway.Gateway;
import dev.penstock.http.Admission;
import dev.penstock.http.server.ServerBuilder;
import dev.penstock.query.Engine;
import dev.penstock.query.sql.Database;
import dev.penstock.server.config.ConcurrencyLimits;
import dev.penstock.server.config.MemorySettings;
import dev.penstock.server.database.ConnectionPools;
import dev.penstock.server.database.ConnectionProbe;
import dev.penstock.server.log.Logging;
import dev.penstock.server.memory.FeedSource;
import dev.penstock.server.memory.TablesInMemory;
import dev.penstock.server.page.HomePage;
import dev.penstock.server.page.MemoryPage;
import org.jspecify.annotations.Nullable;

/**
 * A database as it is served: its connections, its tables in memory, and the admission of both kinds of requests.
 * Closing it closes the pools; responses must have ended before.
 */
final class DatabaseService implements AutoCloseable {
    private final ConnectionProbe probe;
    private final ConnectionPools pools;
    private final @Nullable String schema;
    private final Database database;
    private final @Nullable TablesInMemory inMemory;
    private final Admission bulk;
    private final Admission shortRequests;

    private DatabaseService(
            ConnectionProbe probe,
            ConnectionPools pools,
            @Nullable String schema,
            Database database,
            @Nullable TablesInMemory inMemory,
            ConcurrencyLimits limits) {
        this.probe = probe;
        this.pools = pools;
        this.schema = schema;
        this.database = database;
        this.inMemory = inMemory;
        bulk = new Admission(limits.bulk(), limits.queueLimit(), limits.queueTimeout());
        shortRequests =
                new Admission(limits.shortRequests(), limits.queueLimit(), limits.queueTimeout());
    }

    /** Opens the pools, reads the schema, and loads the tables that are to be in memory. */
    static DatabaseService open(
            ConnectionProbe probe,
            @Nullable String schema,
            @Nullable MemorySettings memory,
            ConcurrencyLimits limits) {
        ConnectionPools pools = ConnectionPools.open(probe, limits);
        try {
            Database database = pools.database(schema);
            TablesInMemory inMemory =
                    memory == null
                            ? null
                            : TablesInMemory.load(
                                    pools.forLoading(database), memory, feeds(probe, memory));
            return new DatabaseService(probe, pools, schema, database, inMemory, limits);
        } catch (RuntimeException e) {
            Logging.quietenPools();
            pools.close();
            throw e;
        }
    }

    private static @Nullable FeedSource feeds(ConnectionProbe probe, MemorySettings memory) {
        MemorySettings.Follow follow = memory.follow();
        return follow == null ? null : new FeedSource(probe.source().target(), follow);
    }

    /** Returns the part of the home page about its tables. */
    HomePage.Tables tables() {
        return new HomePage.Tables(
                probe.database(),
                database.schema(),
                RowFormat.all().stream().map(RowFormat::name).toList());
    }

    /** Returns what reads its schema again, and shows the tables on the home page. */
    SchemaReload reload(HomePage home) {
        return new SchemaReload(pools, schema, database, home, inMemory);
    }

    /** Adds the routes of its tables. */
    void mount(ServerBuilder builder, SchemaReload reload) {
        Gateway gateway =
                Gateway.builder(engine(database))
                        .bulk(bulk)
                        .shortRequests(shortRequests)
                        .shortEngine(engine(pools.forShortRequests(database)))
                        .onSchemaFailure(reload::reloadIfDue)
                        .build();
        reload.watch(gateway);
        gateway.mount(builder);
        if (inMemory != null) {
            new MemoryPage(inMemory).mount(builder);
        }
    }

    private Engine engine(Database others) {
        return inMemory == null ? others : inMemory.engine(others);
    }

    /** Adds the routes that a command has beside these. */
    void extend(ServerBuilder builder, Application.Extension extension) {
        extension.mount(
                builder,
                new Application.DatabaseUse(database, bulk),
                new Application.DatabaseUse(pools.forShortRequests(database), shortRequests));
    }

    ConnectionPools pools() {
        return pools;
    }

    @Nullable TablesInMemory inMemory() {
        return inMemory;
    }

    /** Returns the admission of requests with many rows. */
    Admission bulk() {
        return bulk;
    }

    /** Returns the admission of all others. */
    Admission shortRequests() {
        return shortRequests;
    }

    @Override
    public void close() {
        if (inMemory != null) {
            inMemory.close();
        }
        pools.close();
    }
}
