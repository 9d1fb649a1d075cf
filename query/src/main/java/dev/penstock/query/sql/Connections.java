package dev.penstock.query.sql;

import dev.penstock.query.QueryException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Where connections come from and go back to.
 *
 * @param source gives them
 * @param evictor tells a pool not to use a connection again; null where that is done by breaking it
 */
record Connections(DataSource source, @Nullable Consumer<Connection> evictor) {
    private static final String WAITED =
            ". Each query that is being read has one: close those that are not, and where one is made while another's rows are"
                    + " read, collect these first or let the pool be larger";

    /** Waits for a connection as long as the source does. */
    Connection take() {
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
                            + oneSentence(e)
                            + (e instanceof SQLTransientConnectionException ? WAITED : ""),
                    e);
        }
    }

    void giveBack(Connection connection, boolean broken) throws SQLException {
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

    /** A pool learns from the failure of its proxy that the connection is dead. */
    private static void touch(Connection connection) {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SELECT 1");
        } catch (SQLException e) {
            // It is meant to fail.
        }
    }

    /** The message of the deepest cause that says something, without line breaks. */
    static String oneSentence(Throwable failure) {
        Throwable deepest = failure;
        while (deepest.getCause() != null && deepest.getCause().getMessage() != null) {
            deepest = deepest.getCause();
        }
        String outer = firstLine(failure);
        String inner = firstLine(deepest);
        return outer.contains(inner) ? outer : outer + " (" + inner + ")";
    }

    private static String firstLine(Throwable failure) {
        String message = failure.getMessage();
        if (message == null) {
            return failure.getClass().getSimpleName();
        }
        int sql = message.indexOf("; SQL statement:");
        String shown = sql < 0 ? message : message.substring(0, sql);
        return shown.strip().replaceAll("\\s*\\R\\s*", " ");
    }
}
