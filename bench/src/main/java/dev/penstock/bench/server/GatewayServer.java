package dev.penstock.bench.server;

import com.zaxxer.hikari.HikariDataSource;
import dev.penstock.gateway.Gateway;
import dev.penstock.http.Admission;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerBuilder;
import dev.penstock.query.sql.Database;
import java.io.Serializable;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Level;
import java.util.logging.Logger;

/** A server under measurement, in a child: the gateway at {@code /api}, and the pages that an experiment adds. */
public final class GatewayServer {
    /** Pages beside the gateway. */
    public interface Pages extends Serializable {
        /** Adds them to a server. */
        void mount(GatewayServer server, ServerBuilder builder);
    }

    /** Connections beyond those of bulk requests, for short ones. */
    private static final int SHORT = 8;

    private static final int WIDE_CELLS = 2;
    private static final int MAX_WAITING = 4096;
    private static final Duration QUEUE_TIMEOUT = Duration.ofMinutes(15);
    private static final long SETTLE_NANOS = 10_000_000;
    private static final int SETTLE_TIMES = 500;

    /** Held, since a logger that nobody holds forgets its level. */
    private static final Logger POOL = Logger.getLogger("com.zaxxer.hikari");

    private final DatabaseAddress address;
    private final Admission bulk;
    private final Admission shortRequests = new Admission(SHORT, MAX_WAITING, QUEUE_TIMEOUT);
    private final HikariDataSource pool;
    private final Database database;
    private final int port;

    /** Starts it on a free port with so many bulk requests at once. */
    GatewayServer(DatabaseAddress address, int running, Pages pages) {
        this.address = address;
        // It tells of every connection that is evicted, which is what happens to those of clients
        // that leave.
        POOL.setLevel(Level.OFF);
        bulk = new Admission(running, MAX_WAITING, QUEUE_TIMEOUT);
        pool = address.pool(running);
        HikariDataSource shortPool = address.pool(SHORT);
        database =
                Database.builder(pool)
                        .evictor(pool::evictConnection)
                        .wideCellSource(address.pool(WIDE_CELLS))
                        .connect();
        ServerBuilder builder = Server.builder().port(0).accessLog(false);
        Gateway.builder(database)
                .bulk(bulk)
                .shortRequests(shortRequests)
                .shortEngine(database.over(shortPool, shortPool::evictConnection))
                .build()
                .mount(builder);
        pages.mount(this, builder);
        port = builder.start().port();
    }

    /** Returns the address of its database. */
    public DatabaseAddress address() {
        return address;
    }

    /** Returns the connections of bulk requests. */
    public HikariDataSource pool() {
        return pool;
    }

    /** Returns the engine on its database. */
    public Database database() {
        return database;
    }

    /** Returns the admission of bulk requests. */
    public Admission bulk() {
        return bulk;
    }

    int port() {
        return port;
    }

    /** Waits until no request runs or waits. Returns whether that came to be within some seconds. */
    boolean settle() {
        for (int i = 0; i < SETTLE_TIMES && isBusy(); i++) {
            LockSupport.parkNanos(SETTLE_NANOS);
        }
        return !isBusy();
    }

    private boolean isBusy() {
        return bulk.runningNow() + bulk.waitingNow() > 0
                || shortRequests.runningNow() + shortRequests.waitingNow() > 0;
    }
}
