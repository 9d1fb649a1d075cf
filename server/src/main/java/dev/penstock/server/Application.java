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

/** A database, its pool and the HTTP server over it, running. {@link #close} lets responses finish, then closes the pool. */
final class Application implements AutoCloseable {
    private final HikariDataSource pool;
    private final Server server;

    private Application(HikariDataSource pool, Server server) {
        this.pool = pool;
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
        if (target.embedded()) {
            Carriers.addFor(limits.bulk());
        }
        HikariDataSource pool = probe.pool(limits);
        try {
            Database database = Database.connect(pool, schema);
            return new Application(pool, listen(database, limits, listen, content, extension));
        } catch (QueryException e) {
            pool.close();
            throw new StartupException(String.valueOf(e.getMessage()), e);
        } catch (RuntimeException e) {
            pool.close();
            throw e;
        }
    }

    private static Server listen(
            Database database,
            Limits limits,
            ListenOptions listen,
            HomePage.Content content,
            Extension extension) {
        Admission bulk = new Admission(limits.bulk(), limits.queue(), limits.patience());
        Admission shortRequests =
                new Admission(limits.shortRequests(), limits.queue(), limits.patience());
        StatusResource status = new StatusResource(bulk, shortRequests);
        List<String> formats = RowFormat.all().stream().map(RowFormat::name).toList();
        HomePage home = new HomePage(content, database.schema(), formats);
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
        return Sentences.one(cause.getMessage());
    }

    int port() {
        return server.port();
    }

    @Override
    public void close() {
        server.close();
        pool.close();
    }
}
