package dev.penstock.films.store;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * A receiver of the rows of one table, cell by cell in the order of its columns, on their way into a database. For one
 * thread.
 */
interface RowSink extends AutoCloseable {
    /** A whole number. */
    void number(long value) throws SQLException;

    /** An exact decimal with two digits after the point. */
    void hundredths(long value) throws SQLException;

    /** A text, or NULL. */
    void text(@Nullable String value) throws SQLException;

    void truth(boolean value) throws SQLException;

    /** A date and time without zone, as seconds since 1970 began. */
    void time(long epochSecond) throws SQLException;

    void bytes(byte[] value) throws SQLException;

    /** NULL. */
    void nothing() throws SQLException;

    /** Ends the row. */
    void end() throws SQLException;

    /** Ends the table: what was taken so far is in the database. To be called once, after the last row. */
    void finish() throws SQLException;

    /** Gives back what it holds. */
    @Override
    void close() throws SQLException;
}
