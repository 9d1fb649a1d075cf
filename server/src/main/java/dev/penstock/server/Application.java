package dev.penstock.server;

import com.zaxxer.hikari.HikariDataSource;
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
    private static final int WIDE_CELL_CONNECTIONS = 2;

    private final HikariDataSource pool;
    private final HikariDataSource wideCells;
    private final Server server;

    private Application(HikariDataSource pool, HikariDataSource wideCells, Server server) {
        this.pool = pool;
        this.wideCells = wideCells;
        this.server = server;
    }

    /** What a command adds to what every server has. */
    interface Extension {
        void mount(Server.Builder builder, Database database, Admission bulk);
    }

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
        HikariDataSource pool = probe.pool("penstock", limits.connections());
        // Cursors alone may empty the pool, and wait there for the second connection that a wide
        // cell needs.
        HikariDataSource wideCells = probe.pool("penstock-wide-cells", WIDE_CELL_CONNECTIONS);
        try {
            Database database =
                    Database.builder(pool)
                            .schema(schema)
                            .evictor(pool::evictConnection)
                            .wideCellSource(wideCells)
                            .connect();
            HomePage home = new HomePage(content, probe.database(), database.schema(), formats());
            Server server = listen(database, limits, listen, home, extension);
            return new Application(pool, wideCells, server);
        } catch (QueryException e) {
            close(pool, wideCells);
            throw new StartupException(String.valueOf(e.getMessage()), e);
        } catch (RuntimeException e) {
            close(pool, wideCells);
            throw e;
        }
    }

    private static List<String> formats() {
        return RowFormat.all().stream().map(RowFormat::name).toList();
    }

    private static Server listen(
            Database database,
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
                        .get("/", home::page)
                        .get("/home.css", home::style)
                        .get("/home.js", home::script)
                        .get("/status", status::respond);
        Gateway.builder(database).bulk(bulk).shortRequests(shortRequests).build().mount(builder);
        extension.mount(builder, database, bulk);
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
        close(pool, wideCells);
    }

    private static void close(HikariDataSource pool, HikariDataSource wideCells) {
        wideCells.close();
        pool.close();
    }
}
