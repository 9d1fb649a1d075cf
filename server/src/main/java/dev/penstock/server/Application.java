package dev.penstock.server;

import dev.penstock.format.RowFormat;
import dev.penstock.gateway.Gateway;
import dev.penstock.http.Admission;
import dev.penstock.http.filter.RequestId;
import dev.penstock.http.filter.TraceContext;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerBuilder;
import dev.penstock.query.Engine;
import dev.penstock.query.QueryException;
import dev.penstock.query.sql.Database;
import dev.penstock.server.config.ConcurrencyLimits;
import dev.penstock.server.config.ConcurrencyOptions;
import dev.penstock.server.config.JdbcTarget;
import dev.penstock.server.config.ListenOptions;
import dev.penstock.server.config.ListenPlace;
import dev.penstock.server.config.MemorySettings;
import dev.penstock.server.config.StartupException;
import dev.penstock.server.database.ConnectionPools;
import dev.penstock.server.database.ConnectionProbe;
import dev.penstock.server.log.FirstSentence;
import dev.penstock.server.log.Logging;
import dev.penstock.server.memory.TablesInMemory;
import dev.penstock.server.operations.Operations;
import dev.penstock.server.page.HomePage;
import dev.penstock.server.page.MemoryPage;
import dev.penstock.server.page.StatusResource;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A running server: a database, its connection pools and the HTTP server over them. {@link #close} lets responses
 * finish, then closes the pools.
 */
public final class Application implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("dev.penstock.server");

    private final ConnectionPools pools;
    private final Server server;
    private final Operations operations;
    private final @Nullable TablesInMemory inMemory;
    private final StopSignal stop;
    private final Duration stopDelay;

    private Application(
            ConnectionPools pools,
            Server server,
            Operations operations,
            @Nullable TablesInMemory inMemory,
            StopSignal stop,
            Duration stopDelay) {
        this.pools = pools;
        this.server = server;
        this.operations = operations;
        this.stopDelay = stopDelay;
        this.inMemory = inMemory;
        this.stop = stop;
    }

    /** The routes that a command adds to those of every server. */
    public interface Extension {
        void mount(ServerBuilder builder, DatabaseUse bulk, DatabaseUse shortRequests);
    }

    /**
     * The database and the admission of one kind of requests.
     *
     * @param database the database over the connections of that kind
     * @param admission admits requests to it
     */
    public record DatabaseUse(Database database, Admission admission) {}

    /** The admissions of both kinds of requests. */
    private record Queues(Admission bulk, Admission shortRequests) {
        static Queues of(ConcurrencyLimits limits) {
            return new Queues(
                    new Admission(limits.bulk(), limits.queueLimit(), limits.queueTimeout()),
                    new Admission(
                            limits.shortRequests(), limits.queueLimit(), limits.queueTimeout()));
        }
    }

    /**
     * The database as the gateway serves it: over the connections of both kinds of requests, and its tables in memory.
     */
    private record Served(
            Database database, Database shortDatabase, @Nullable TablesInMemory inMemory) {
        Engine engine(Database others) {
            return inMemory == null ? others : inMemory.engine(others);
        }
    }

    /**
     * Starts the server. Until it listens, a signal ends the process at once.
     *
     * @throws StartupException if something that the user asked for is not possible
     */
    public static Application start(
            JdbcTarget target,
            @Nullable String schema,
            ListenOptions listen,
            ConcurrencyOptions load,
            @Nullable MemorySettings memory,
            HomePage.Content content,
            Extension extension) {
        requireFreePlaces(listen);
        ConnectionProbe probe = ConnectionProbe.of(target, schema);
        long heapBytes = Runtime.getRuntime().maxMemory();
        ConcurrencyLimits limits = load.limits(heapBytes, probe.allowance());
        ConnectionPools pools = ConnectionPools.open(probe, limits);
        TablesInMemory inMemory = null;
        Operations operations = null;
        try {
            Database database = pools.database(schema);
            inMemory =
                    memory == null ? null : TablesInMemory.load(pools.forLoading(database), memory);
            HomePage home =
                    new HomePage(
                            content,
                            probe.database(),
                            database.schema(),
                            formats(),
                            listen.scheme());
            Served served = new Served(database, pools.forShortRequests(database), inMemory);
            Queues queues = Queues.of(limits);
            SchemaReload reload = new SchemaReload(pools, schema, database, home, inMemory);
            operations =
                    new Operations(pools, queues.bulk(), queues.shortRequests(), reload::reload);
            ServerBuilder builder = routes(served, limits, queues, listen, home, reload, extension);
            // Only now is there anything to end in order: a signal before that ends the JVM.
            StopSignal stop = StopSignal.listen();
            Server server = bind(builder, operations, listen);
            stop.onHangUp(() -> hungUp(reload, server));
            operations.watch(server);
            if (inMemory != null) {
                operations.metrics().watch(inMemory);
            }
            return new Application(pools, server, operations, inMemory, stop, listen.stopDelay());
        } catch (QueryException e) {
            Logging.quietenPools();
            close(operations, inMemory, pools);
            throw new StartupException(String.valueOf(e.getMessage()), e);
        } catch (RuntimeException e) {
            Logging.quietenPools();
            close(operations, inMemory, pools);
            throw e;
        }
    }

    private static void hungUp(SchemaReload schema, Server server) {
        try {
            if (server.reloadTls()) {
                LOG.log(System.Logger.Level.INFO, "New connections get other certificates");
            }
        } catch (IllegalArgumentException e) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "The certificates that were read before stay in use: " + e.getMessage());
        }
        schema.reloadAndLog();
    }

    private static void close(
            @Nullable Operations operations,
            @Nullable TablesInMemory inMemory,
            ConnectionPools pools) {
        if (operations != null) {
            operations.close();
        }
        if (inMemory != null) {
            inMemory.close();
        }
        pools.close();
    }

    private static List<String> formats() {
        return RowFormat.all().stream().map(RowFormat::name).toList();
    }

    private static ServerBuilder routes(
            Served served,
            ConcurrencyLimits limits,
            Queues queues,
            ListenOptions listen,
            HomePage home,
            SchemaReload reload,
            Extension extension) {
        Admission bulk = queues.bulk();
        Admission shortRequests = queues.shortRequests();
        StatusResource status = new StatusResource(bulk, shortRequests);
        ServerBuilder builder =
                listen.apply(Server.builder())
                        .maxConnections(limits.clients())
                        .filter(RequestId.ofClientOrMade())
                        .filter(TraceContext.filter())
                        .get("/status", status::respond);
        Gateway gateway =
                Gateway.builder(served.engine(served.database()))
                        .bulk(bulk)
                        .shortRequests(shortRequests)
                        .shortEngine(served.engine(served.shortDatabase()))
                        .onSchemaFailure(reload::reloadIfDue)
                        .build();
        reload.watch(gateway);
        gateway.mount(builder);
        home.mount(builder);
        if (served.inMemory() != null) {
            new MemoryPage(served.inMemory()).mount(builder);
        }
        extension.mount(
                builder,
                new DatabaseUse(served.database(), bulk),
                new DatabaseUse(served.shortDatabase(), shortRequests));
        return builder;
    }

    private static Server bind(ServerBuilder builder, Operations operations, ListenOptions listen) {
        Integer apart = listen.operationsPort();
        builder.onFinished(operations.metrics().requests());
        if (apart == null) {
            operations.mount(builder);
        } else {
            bind(
                    listen.host(),
                    "--operations-port",
                    apart,
                    () -> {
                        operations.serve(listen.host(), apart);
                        return operations;
                    });
        }
        return bind(builder, listen);
    }

    private static Server bind(ServerBuilder builder, ListenOptions listen) {
        ListenPlace first = listen.places().getFirst();
        if (listen.places().size() == 1 && first.socket() == null) {
            return bind(first.host(), "--port", first.port(), builder::start);
        }
        try {
            return builder.start();
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw new StartupException(String.valueOf(e.getMessage()), e);
        }
    }

    /** Refuses places that are in use before anything is loaded. One that is taken later fails when it is bound. */
    private static void requireFreePlaces(ListenOptions listen) {
        for (ListenPlace place : listen.places()) {
            if (place.socket() == null) {
                requireFreePort(place.host(), place.option().split(" ", 2)[0], place.port());
            } else {
                requireFreeSocket(place);
            }
        }
        Integer apart = listen.operationsPort();
        if (apart != null) {
            requireFreePort(listen.host(), "--operations-port", apart);
        }
    }

    private static void requireFreeSocket(ListenPlace place) {
        try {
            Server.builder()
                    .eventLoops(1)
                    .accessLog(false)
                    .listener(place.plainListener())
                    .start()
                    .close();
        } catch (IllegalStateException e) {
            throw new StartupException(
                    place.option() + ": " + reason(e.getCause() == null ? e : e.getCause()), e);
        }
    }

    private static void requireFreePort(String host, String option, int port) {
        if (port == 0) {
            return;
        }
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(host, port));
        } catch (IOException e) {
            throw cannotListen(host, option, port, e);
        }
    }

    private static StartupException cannotListen(
            String host, String option, int port, Throwable failure) {
        return new StartupException(
                "can't listen on "
                        + host
                        + " port "
                        + port
                        + " ("
                        + reason(failure)
                        + "): choose another "
                        + option
                        + ", or 0 for any that is free, and a --host of this machine",
                failure);
    }

    private static <T> T bind(String host, String option, int port, Supplier<T> start) {
        try {
            return start.get();
        } catch (IllegalArgumentException e) {
            // The files for TLS.
            throw new StartupException(String.valueOf(e.getMessage()), e);
        } catch (IllegalStateException e) {
            throw cannotListen(host, option, port, e.getCause() == null ? e : e.getCause());
        }
    }

    private static String reason(Throwable failure) {
        String words = FirstSentence.one(failure.getMessage());
        // Netty puts the system call and its number before what went wrong.
        return words.substring(words.lastIndexOf(": ") < 0 ? 0 : words.lastIndexOf(": ") + 2);
    }

    public int port() {
        return server.port();
    }

    /** Returns where it listens, in the order of the options' places. */
    public List<SocketAddress> addresses() {
        return server.addresses();
    }

    /** Returns the number of suspended requests. */
    public int suspended() {
        return server.waiting();
    }

    /** Returns the port of metrics and health; -1 where they are on the server's own. */
    public int operationsPort() {
        return operations.port();
    }

    /** Returns after the first signal to stop and the delay in which load balancers notice it. */
    public void awaitStop() {
        stop.await();
        operations.stopping();
        try {
            Thread.sleep(stopDelay);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        operations.stopping();
        server.close();
        close(operations, inMemory, pools);
    }
}
