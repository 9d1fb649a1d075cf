package dev.penstock.server;

import dev.penstock.format.RowFormat;
import dev.penstock.gateway.Gateway;
import dev.penstock.http.Admission;
import dev.penstock.http.Server;
import dev.penstock.query.QueryException;
import dev.penstock.query.sql.Database;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A database, its pools and the HTTP server over it, running. {@link #close} lets responses finish, then closes the pools. */
final class Application implements AutoCloseable {
    private final Pools pools;
    private final Server server;

    private Application(Pools pools, Server server) {
        this.pools = pools;
        this.server = server;
    }

    /** What a command adds to what every server has. */
    interface Extension {
        void mount(Server.Builder builder, Use bulk, Use shortRequests);
    }

    /**
     * What a kind of requests works with.
     *
     * @param database the database by its connections
     * @param admission who may go on, and who waits
     */
    record Use(Database database, Admission admission) {}

    static Application start(
            JdbcTarget target,
            @Nullable String schema,
            ListenOptions listen,
            LoadOptions load,
            HomePage.Content content,
            Extension extension) {
        ConnectionPool.Probe probe = ConnectionPool.probe(target, schema);
        long heapBytes = Runtime.getRuntime().maxMemory();
        Limits limits = load.limits(heapBytes, probe.allowance());
        Pools pools = Pools.open(probe, limits);
        try {
            Database database = pools.database(schema);
            HomePage home = new HomePage(content, probe.database(), database.schema(), formats());
            Database shortDatabase = pools.forShortRequests(database);
            Server server = listen(database, shortDatabase, limits, listen, home, extension);
            return new Application(pools, server);
        } catch (QueryException e) {
            pools.close();
            throw new StartupException(String.valueOf(e.getMessage()), e);
        } catch (RuntimeException e) {
            pools.close();
            throw e;
        }
    }

    private static List<String> formats() {
        return RowFormat.all().stream().map(RowFormat::name).toList();
    }

    private static Server listen(
            Database database,
            Database shortDatabase,
            Limits limits,
            ListenOptions listen,
            HomePage home,
            Extension extension) {
        Admission bulk = new Admission(limits.bulk(), limits.queue(), limits.patience());
        Admission shortRequests =
                new Admission(limits.shortRequests(), limits.queue(), limits.patience());
        StatusResource status = new StatusResource(bulk, shortRequests);
        Server.Builder builder =
                Server.builder()
                        .address(listen.host())
                        .port(listen.port())
                        .stopWithin(listen.stopWithin())
                        .accessLog(listen.accessLog())
                        .maxConnections(limits.clients())
                        .get("/status", status::respond);
        Gateway.builder(database)
                .bulk(bulk)
                .shortRequests(shortRequests)
                .shortDatabase(shortDatabase)
                .build()
                .mount(builder);
        home.mount(builder);
        extension.mount(builder, new Use(database, bulk), new Use(shortDatabase, shortRequests));
        return bind(builder, listen);
    }

    private static Server bind(Server.Builder builder, ListenOptions listen) {
        try {
            return builder.start();
        } catch (IllegalStateException e) {
            throw new StartupException(
                    "can't listen on "
                            + listen.host()
                            + " port "
                            + listen.port()
                            + " ("
                            + reason(e)
                            + "): choose another --port, or 0 for any that is free, and a --host of"
                            + " this machine",
                    e);
        }
    }

    private static String reason(IllegalStateException failure) {
        Throwable cause = failure.getCause() == null ? failure : failure.getCause();
        String words = Sentences.one(cause.getMessage());
        // Netty puts the system call and its number before what went wrong.
        return words.substring(words.lastIndexOf(": ") < 0 ? 0 : words.lastIndexOf(": ") + 2);
    }

    int port() {
        return server.port();
    }

    @Override
    public void close() {
        server.close();
        pools.close();
    }
}
