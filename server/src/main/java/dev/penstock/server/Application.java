package dev.penstock.server;

import dev.penstock.http.Admission;
import dev.penstock.http.filter.RequestId;
import dev.penstock.http.filter.TraceContext;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerBuilder;
import dev.penstock.query.QueryException;
import dev.penstock.query.sql.Database;
import dev.penstock.server.config.ConcurrencyLimits;
import dev.penstock.server.config.ConcurrencyOptions;
import dev.penstock.server.config.ListenOptions;
import dev.penstock.server.config.ListenPlace;
import dev.penstock.server.config.ServedSources;
import dev.penstock.server.config.StartupException;
import dev.penstock.server.database.ConnectionProbe;
import dev.penstock.server.database.DatabaseHealth;
import dev.penstock.server.documents.DocumentService;
import dev.penstock.server.log.FirstSentence;
import dev.penstock.server.log.Logging;
import dev.penstock.server.operations.Operations;
import dev.penstock.server.page.HomePage;
import dev.penstock.server.page.StatusResource;
import dev.penstock.server.transfer.FileService;
import dev.penstock.server.transfer.UploadService;
import dev.penstock.service.ServicePool;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A running server: a database, files, uploads and documents, whichever there are, and the HTTP server over them.
 * {@link #close} lets responses finish, then closes them.
 */
public final class Application implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("dev.penstock.server");

    private final Parts parts;
    private final Server server;
    private final Operations operations;
    private final StopSignal stop;
    private final Duration stopDelay;

    private Application(
            Parts parts,
            Server server,
            Operations operations,
            StopSignal stop,
            Duration stopDelay) {
        this.parts = parts;
        this.server = server;
        this.operations = operations;
        this.stop = stop;
        this.stopDelay = stopDelay;
    }

    /** The routes that a command adds to those of every server with a database. */
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

    /** The parts that are served. */
    private record Parts(
            ConcurrencyLimits limits,
            @Nullable DatabaseService database,
            @Nullable FileService files,
            @Nullable UploadService uploads,
            @Nullable DocumentService documents)
            implements AutoCloseable {
        static Parts open(ServedSources sources, ConcurrencyOptions load) {
            long heapBytes = Runtime.getRuntime().maxMemory();
            ConnectionProbe probe =
                    sources.database() == null
                            ? null
                            : ConnectionProbe.of(sources.database(), sources.schema());
            ConcurrencyLimits limits =
                    probe == null
                            ? load.limits(heapBytes)
                            : load.limits(heapBytes, probe.allowance());
            FileService files =
                    sources.files() == null
                            ? null
                            : FileService.of(sources.files(), sources.uploads() != null, limits);
            UploadService uploads =
                    sources.uploads() == null
                            ? null
                            : UploadService.open(sources.uploads(), limits);
            DocumentService documents = null;
            try {
                documents =
                        sources.documents() == null
                                ? null
                                : DocumentService.open(sources.documents(), limits);
                DatabaseService database =
                        probe == null
                                ? null
                                : DatabaseService.open(
                                        probe, sources.schema(), sources.memory(), limits);
                return new Parts(limits, database, files, uploads, documents);
            } catch (RuntimeException e) {
                if (uploads != null) {
                    uploads.close();
                }
                if (documents != null) {
                    documents.close();
                }
                throw e;
            }
        }

        /** Returns the admissions by the kind of their requests. */
        Map<String, Admission> admissions() {
            Map<String, Admission> admissions = new LinkedHashMap<>();
            if (database != null) {
                admissions.put("bulk", database.bulk());
                admissions.put("short", database.shortRequests());
            }
            if (files != null) {
                admissions.put("files", files.admission());
            }
            if (uploads != null) {
                admissions.put("uploads", uploads.admission());
            }
            if (documents != null) {
                admissions.put("documents", documents.admission());
            }
            return admissions;
        }

        @Override
        public void close() {
            if (uploads != null) {
                uploads.close();
            }
            if (documents != null) {
                documents.close();
            }
            if (database != null) {
                database.close();
            }
        }
    }

    /**
     * Starts the server. Until it listens, a signal ends the process: at once, or within five seconds where tables that
     * follow the database are being loaded.
     *
     * @throws StartupException if something that the user asked for is not possible
     */
    public static Application start(
            ServedSources sources,
            ListenOptions listen,
            ConcurrencyOptions load,
            HomePage.Content content,
            Extension extension) {
        requireFreePlaces(listen);
        Parts parts = null;
        Operations operations = null;
        try {
            parts = Parts.open(sources, load);
            DatabaseService database = parts.database();
            HomePage home =
                    new HomePage(
                            content, database == null ? null : database.tables(), listen.scheme());
            SchemaReload reload = database == null ? null : database.reload(home);
            operations =
                    new Operations(
                            database == null ? null : database.pools(),
                            parts.admissions(),
                            reload == null ? null : reload::reload);
            ServerBuilder builder = routes(parts, listen, home, reload, extension);
            // Only now are there requests to end in order: a signal before that ends the JVM.
            StopSignal stop = StopSignal.listen();
            if (database != null && database.inMemory() != null) {
                database.inMemory().started();
            }
            Server server = bind(builder, operations, listen);
            UploadService uploads = parts.uploads();
            DocumentService documents = parts.documents();
            stop.onHangUp(() -> {
                hungUp(reload, server, uploads);
                if (documents != null) {
                    documents.reloadTokens();
                }
            });
            watch(operations, server, parts);
            return new Application(parts, server, operations, stop, listen.stopDelay());
        } catch (QueryException e) {
            close(operations, parts);
            throw new StartupException(String.valueOf(e.getMessage()), e);
        } catch (RuntimeException e) {
            close(operations, parts);
            throw e;
        }
    }

    private static void watch(Operations operations, Server server, Parts parts) {
        operations.watch(server);
        if (parts.database() != null && parts.database().inMemory() != null) {
            operations.metrics().watch(parts.database().inMemory());
        }
        if (parts.uploads() != null) {
            operations.metrics().watch(parts.uploads());
        }
        DatabaseHealth documents = parts.documents() == null ? null : parts.documents().health();
        if (documents != null) {
            operations.watch(documents);
        }
    }

    private static void hungUp(
            @Nullable SchemaReload schema, Server server, @Nullable UploadService uploads) {
        try {
            if (server.reloadTls()) {
                LOG.log(System.Logger.Level.INFO, "New connections get other certificates");
            }
        } catch (IllegalArgumentException e) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "The certificates that were read before stay in use: " + e.getMessage());
        }
        if (uploads != null) {
            uploads.reloadTokens();
        }
        if (schema != null) {
            schema.reloadAndLog();
        }
    }

    /** Closes what was opened before the start failed. */
    private static void close(@Nullable Operations operations, @Nullable Parts parts) {
        Logging.quietenPools();
        if (operations != null) {
            operations.close();
        }
        if (parts != null) {
            parts.close();
        }
    }

    private static ServerBuilder routes(
            Parts parts,
            ListenOptions listen,
            HomePage home,
            @Nullable SchemaReload reload,
            Extension extension) {
        StatusResource status = new StatusResource(parts.admissions());
        ServerBuilder builder =
                listen.apply(Server.builder(), parts.uploads() != null)
                        .maxConnections(parts.limits().clients())
                        .filter(RequestId.ofClientOrMade())
                        .filter(TraceContext.filter())
                        .get("/status", status::respond);
        home.mount(builder);
        if (parts.files() != null) {
            parts.files().mount(builder);
        }
        if (parts.uploads() != null) {
            parts.uploads().mount(builder);
        }
        if (parts.documents() != null) {
            parts.documents().mount(builder);
        }
        if (parts.database() != null && reload != null) {
            parts.database().mount(builder, reload);
            parts.database().extend(builder, extension);
        }
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

    /** Returns whether the tables of a database are served. */
    public boolean hasTables() {
        return parts.database() != null;
    }

    /** Returns the number of suspended requests. */
    public int suspended() {
        return server.waiting();
    }

    /** Returns the port of metrics and health; -1 where they are on the server's own. */
    public int operationsPort() {
        return operations.port();
    }

    /**
     * Shows a service pool in metrics and health, under its name: while it has no instance for a call, the server is
     * not ready. Whoever has started it closes it: {@link ServerBuilder#closeAtStop} does when no request needs it any
     * more.
     *
     * @throws IllegalArgumentException if there is one of the same name
     */
    public void watch(ServicePool<?> pool) {
        operations.watch(pool);
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
        operations.close();
        parts.close();
    }
}
