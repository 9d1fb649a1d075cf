package dev.penstock.follow.binlog;

import com.github.shyiko.mysql.binlog.BinaryLogClient;
import com.github.shyiko.mysql.binlog.network.AuthenticationException;
import com.github.shyiko.mysql.binlog.network.ServerException;
import dev.penstock.query.QueryException;
import dev.penstock.query.Table;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.Socket;
import java.security.cert.CertificateException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;

/**
 * A thread that reads the log as a replica would, and connects again when the connection is lost: from the end of the
 * last transaction that came, if the log still has that place; else from now on, and all rows have changed.
 */
public final class BinlogReader implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("dev.penstock.follow");

    /** The library's, which tells of each connection and certificate. Kept, so that its level is. */
    private static final java.util.logging.Logger LIBRARY =
            java.util.logging.Logger.getLogger(BinaryLogClient.class.getPackageName());

    static {
        if (LIBRARY.getLevel() == null) {
            LIBRARY.setLevel(java.util.logging.Level.WARNING);
        }
    }

    /** The log does not go on from there: it was purged, begun anew, or is damaged. */
    private static final int LOG_IS_LOST = 1236;

    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(10);

    /** The server says so often that it is there when there is nothing else to say. */
    private static final Duration HEARTBEAT = Duration.ofSeconds(5);

    /** After that time without a word, the connection is lost. */
    private static final Duration SILENCE_LIMIT = Duration.ofSeconds(30);

    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

    /** A source of ordinary connections. */
    public interface Connections {
        Connection open() throws SQLException;
    }

    /**
     * An end of reading.
     *
     * @param lost whether it can't go on from where it was
     */
    private record Ending(Throwable cause, boolean lost) {}

    private final ServerAddress address;
    private final Connections connections;
    private final CollectedChanges pending;
    private final TransactionCollector collector;

    /** Of all replicas of a server, only one may have a number: the older connection of two is ended. */
    private final long replica = ThreadLocalRandom.current().nextLong(1L << 31, (1L << 32) - 1);

    /** The number of the server that was asked where its log is. */
    private volatile long server;

    private final CompletableFuture<Boolean> begun = new CompletableFuture<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private @Nullable Thread thread;
    private volatile @Nullable BinaryLogClient client;

    private BinlogReader(
            ServerAddress address,
            Connections connections,
            CollectedChanges pending,
            TransactionCollector collector) {
        this.address = address;
        this.connections = connections;
        this.pending = pending;
        this.collector = collector;
    }

    /**
     * Begins to read.
     *
     * @param tables that are followed
     * @param from where
     * @param server the number of the server that has this place
     * @throws QueryException if the log can't be read, with what cures it
     */
    public static BinlogReader start(
            ServerAddress address,
            Connections connections,
            List<Table> tables,
            CollectedChanges pending,
            SavedPosition from,
            long server)
            throws SQLException {
        TransactionCollector.CatalogSource catalogs =
                () -> {
                    try (Connection connection = connections.open()) {
                        return CatalogReader.read(connection, tables);
                    }
                };
        Catalog catalog = catalogs.read();
        catalog.withoutKey()
                .forEach(name ->
                        LOG.log(
                                System.Logger.Level.INFO,
                                "table {0} has no key that can be told from MariaDB''s binary log: it is loaded as"
                                        + " a whole at each change",
                                name));
        TransactionCollector collector = new TransactionCollector(pending, catalog, catalogs);
        BinlogReader reader = new BinlogReader(address, connections, pending, collector);
        reader.server = server;
        reader.begin(from);
        return reader;
    }

    private void begin(SavedPosition from) {
        thread = Thread.ofVirtual().name("penstock-follow-mariadb").start(() -> run(from));
        boolean done = false;
        try {
            begun.get(2 * CONNECT_LIMIT.toSeconds(), TimeUnit.SECONDS);
            done = true;
        } catch (ExecutionException e) {
            throw failure(e.getCause() == null ? e : e.getCause());
        } catch (TimeoutException e) {
            throw failure(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new QueryException(
                    QueryException.Kind.CANCELLED,
                    "connecting to MariaDB's binary log was interrupted",
                    e);
        } finally {
            if (!done) {
                close();
            }
        }
    }

    private QueryException failure(Throwable cause) {
        if (cause instanceof ServerException refusal
                && refusal.getErrorCode() == ServerSettings.NO_PRIVILEGE) {
            try (Connection connection = connections.open();
                    Statement statement = connection.createStatement()) {
                return new QueryException(
                        QueryException.Kind.DATABASE,
                        ServerSettings.message(
                                "the user lacks a privilege: " + ServerSettings.grant(statement)),
                        cause);
            } catch (SQLException e) {
                cause.addSuppressed(e);
            }
        }
        return new QueryException(
                cause instanceof ServerException
                        ? QueryException.Kind.DATABASE
                        : QueryException.Kind.UNAVAILABLE,
                "reading MariaDB's binary log at %s failed: %s".formatted(address, message(cause)),
                cause);
    }

    private static String message(Throwable cause) {
        String text = String.valueOf(cause.getMessage()).strip();
        String first = cause.getMessage() == null ? cause.getClass().getSimpleName() : text;
        Throwable deeper = cause.getCause();
        String reason = deeper == null ? null : deeper.getMessage();
        String all = reason == null || first.contains(reason) ? first : first + " (" + reason + ")";
        return switch (cause) {
            case AuthenticationException _ when all.contains("unsupported") ->
                    all
                            + "; let the user be identified by mysql_native_password: ALTER USER … IDENTIFIED VIA"
                            + " mysql_native_password USING PASSWORD('…')";
            case SSLHandshakeException failed when isOfCertificate(failed) ->
                    all
                            + "; the server's certificate has to be one that the JVM trusts"
                            + " (-Djavax.net.ssl.trustStore=FILE), though the driver may take others; or verify none:"
                            + " sslMode=trust, or REQUIRED for MySQL's driver";
            default -> all;
        };
    }

    private static boolean isOfCertificate(Throwable failure) {
        Throwable cause = failure;
        while (cause != null && !(cause instanceof CertificateException)) {
            cause = cause.getCause();
        }
        return cause != null;
    }

    private void run(SavedPosition start) {
        SavedPosition from = start;
        Duration pause = FIRST_PAUSE;
        while (!isClosed()) {
            long since = System.nanoTime();
            Ending ending = read(from);
            if (isClosed() || begun.completeExceptionally(ending.cause())) {
                return;
            }
            tell(ending);
            boolean lasted = System.nanoTime() - since > LONGEST_PAUSE.toNanos();
            pause = lasted ? FIRST_PAUSE : pause;
            SavedPosition next = null;
            while (next == null && !await(pause)) {
                next = resume(ending.lost());
                pause = min(pause.multipliedBy(2), LONGEST_PAUSE);
            }
            from = next == null ? from : next;
        }
    }

    private static Duration min(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private boolean isClosed() {
        return closed.getCount() == 0;
    }

    /** Returns whether it was closed meanwhile. */
    private boolean await(Duration pause) {
        try {
            return closed.await(pause.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    private void tell(Ending ending) {
        if (pending.troubled(message(ending.cause()))) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "Reading MariaDB''s binary log at {0} broke off, and is tried again until it succeeds: {1}",
                    address,
                    message(ending.cause()));
        }
    }

    /** Reads until the connection ends. */
    private Ending read(SavedPosition from) {
        collector.reset();
        BinaryLogClient next =
                new BinaryLogClient(
                        address.host(), address.port(), address.user(), address.password());
        Failures failures = new Failures(server, pending);
        next.setServerId(replica);
        next.setSSLMode(address.tls());
        next.setKeepAlive(false);
        next.setHeartbeatInterval(HEARTBEAT.toMillis());
        next.setConnectTimeout(CONNECT_LIMIT.toMillis());
        next.setThreadFactory(Thread.ofVirtual().factory());
        next.setSocketFactory(BinlogReader::socket);
        next.setBinlogFilename(from.at().file());
        next.setBinlogPosition(Math.max(BinlogPosition.FIRST_OFFSET, from.at().offset()));
        next.setEventDeserializer(
                new BinlogDeserializer(collector, pending, from.at(), () -> begun.complete(true)));
        next.registerLifecycleListener(failures);
        client = next;
        try {
            if (!isClosed()) {
                next.connect();
            }
        } catch (IOException | RuntimeException e) {
            failures.add(e, isLost(e));
        } catch (OutOfMemoryError e) {
            failures.add(e, true);
        }
        return failures.first();
    }

    private static Socket socket() throws java.net.SocketException {
        Socket socket = new Socket();
        socket.setSoTimeout((int) SILENCE_LIMIT.toMillis());
        socket.setKeepAlive(true);
        return socket;
    }

    private static boolean isLost(Throwable failure) {
        return failure instanceof ServerException refusal && refusal.getErrorCode() == LOG_IS_LOST;
    }

    /** The failures of one connection. */
    private static final class Failures extends BinaryLogClient.AbstractLifecycleListener {
        private final long server;
        private final CollectedChanges pending;
        private volatile @Nullable Ending first;

        /**
         * @param server the number of the server that ordinary connections are of
         */
        Failures(long server, CollectedChanges pending) {
            this.server = server;
            this.pending = pending;
        }

        void add(Throwable failure, boolean lost) {
            if (first == null) {
                first = new Ending(failure, lost);
            }
        }

        Ending first() {
            Ending known = first;
            return known == null
                    ? new Ending(new IOException("the server ended the connection"), false)
                    : known;
        }

        /** A proxy may lead each connection to another server, whose log has other places. */
        @Override
        public void onConnect(BinaryLogClient to) {
            if (to.getMasterServerId() != server) {
                add(
                        new IOException(
                                ("the address leads to several servers, with the numbers %d and %d: name one of them in"
                                                + " the JDBC URL")
                                        .formatted(server, to.getMasterServerId())),
                        false);
                disconnected(to);
            } else if (pending.isSuspended()) {
                // Before this moment, a disconnection would have had no effect.
                add(new IOException("the log may have been begun anew"), false);
                disconnected(to);
            }
        }

        @Override
        public void onCommunicationFailure(BinaryLogClient from, Exception failure) {
            add(failure, isLost(failure));
        }

        /** The client would go on in the midst of what it could not read. */
        @Override
        public void onEventDeserializationFailure(BinaryLogClient from, Exception failure) {
            boolean ofConnection =
                    failure instanceof InterruptedIOException
                            || failure.getCause() instanceof SQLException;
            add(failure, !ofConnection);
            disconnected(from);
        }
    }

    /** Returns where to read on, or null if that can't be asked at present. */
    private @Nullable SavedPosition resume(boolean lost) {
        long seen = pending.suspensions();
        try (Connection connection = connections.open()) {
            ServerSettings.check(connection);
            server = BinlogQueries.server(connection);
            SavedPosition last = pending.last();
            if (!lost && BinlogQueries.has(connection, last)) {
                pending.resume(seen);
                return last;
            }
            SavedPosition here = BinlogQueries.here(connection);
            collector.restart(here, seen);
            LOG.log(
                    System.Logger.Level.WARNING,
                    "MariaDB''s binary log at {0} can''t be read on from {1}: all tables that are followed are loaded"
                            + " as a whole",
                    address,
                    last);
            return here;
        } catch (SQLException | RuntimeException e) {
            pending.troubled(message(e));
            return null;
        }
    }

    /** Connects again, because the log may have been begun anew. Until then nothing is taken. */
    public void reconnect() {
        pending.suspend();
        disconnect();
    }

    private void disconnect() {
        BinaryLogClient current = client;
        if (current != null) {
            disconnected(current);
        }
    }

    private static void disconnected(BinaryLogClient current) {
        try {
            current.disconnect();
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "disconnecting from the binary log failed", e);
        }
    }

    /** Ends the thread. Closing twice does no harm. */
    @Override
    public void close() {
        closed.countDown();
        Thread reading = thread;
        if (reading != null) {
            reading.interrupt();
        }
        disconnect();
    }
}
