package dev.penstock.query.sql.read;

import dev.penstock.query.QueryException;
import dev.penstock.query.sql.statement.DriverMessage;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The source of connections, to which they are given back.
 *
 * @param source gives them
 * @param evictor tells a pool not to use a connection again; null where that is done by breaking it
 */
public record ConnectionSource(DataSource source, @Nullable Consumer<Connection> evictor) {
    private static final System.Logger LOG = System.getLogger("dev.penstock.query.sql");

    private static final String WAITED =
            ". Each query that is being read has one: close those that are not, and where one is made while"
                    + " another's rows are read, collect these first or let the pool be larger";

    /**
     * Those of a source. Where nobody said how it is told not to use a connection again, and it has a method for that,
     * which HikariCP calls {@code evictConnection}, that one is called: a pool that finds a connection broken warns of
     * it, as if something had gone wrong.
     *
     * @param evictor what is called instead; null for what the source has
     */
    public static ConnectionSource of(DataSource source, @Nullable Consumer<Connection> evictor) {
        return new ConnectionSource(source, evictor == null ? evictor(source) : evictor);
    }

    private static @Nullable Consumer<Connection> evictor(DataSource source) {
        MethodHandle method = null;
        for (Class<?> type = source.getClass(); method == null && type != null; ) {
            method = evictConnection(type);
            type = type.getSuperclass();
        }
        if (method == null) {
            return null;
        }
        MethodHandle evict = method.bindTo(source);
        return connection -> {
            try {
                evict.invokeExact(connection);
            } catch (RuntimeException | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new IllegalStateException("evictConnection of " + source + " failed", e);
            }
        };
    }

    private static @Nullable MethodHandle evictConnection(Class<?> type) {
        MethodType takesConnection = MethodType.methodType(void.class, Connection.class);
        try {
            return MethodHandles.publicLookup()
                    .findVirtual(type, "evictConnection", takesConnection);
        } catch (NoSuchMethodException | IllegalAccessException e) {
            return null;
        }
    }

    /** Waits for a connection as long as the source does. */
    public Connection take() {
        try {
            Connection connection = source.getConnection();
            if (connection == null) {
                throw new SQLException("the DataSource gave no connection");
            }
            return connection;
        } catch (SQLException e) {
            throw new QueryException(
                    QueryException.Kind.UNAVAILABLE,
                    "no connection to the database: "
                            + DriverMessage.of(e)
                            + (e instanceof SQLTransientConnectionException ? WAITED : ""),
                    e);
        }
    }

    /** Gives a connection back; one that is broken is not used again. */
    public void giveBack(Connection connection, boolean broken) throws SQLException {
        if (!broken) {
            connection.close();
            return;
        }
        try (connection) {
            if (evictor != null) {
                evictor.accept(connection);
            } else {
                connection.abort(Runnable::run);
                touch(connection);
            }
        }
    }

    /** Gives a connection back, and only logs a failure in that. */
    public void giveBackQuietly(Connection connection, boolean broken) {
        try {
            giveBack(connection, broken);
        } catch (SQLException e) {
            LOG.log(System.Logger.Level.DEBUG, "giving a connection back failed", e);
        }
    }

    /** A pool learns from the failure of its proxy that the connection is dead. */
    private static void touch(Connection connection) {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SELECT 1");
        } catch (SQLException e) {
            // It is meant to fail.
        }
    }
}
