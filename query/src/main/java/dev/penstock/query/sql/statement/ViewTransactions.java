package dev.penstock.query.sql.statement;

import dev.penstock.query.QueryException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** The transactions of a view of the database, which a dialect begins so that all of them see the same state. */
public interface ViewTransactions {
    /** Returns how many transactions there should be. */
    int wanted();

    /** Returns what will be read. */
    List<SqlTable> tables();

    /**
     * Takes connections for what follows, so that nothing waits for them while tables are locked. Where the source has
     * no further one to give, they are fewer.
     *
     * @return how many, at least one
     * @throws QueryException if there is none at all, or the thread is interrupted
     */
    int reserve(int most);

    /** Returns whether none has begun. */
    boolean isEmpty();

    /** Returns a connection whose next statement begins a transaction. */
    Connection begin(int isolation) throws SQLException;

    /** Does something with a connection that is not the view's. */
    void apart(Action action) throws SQLException;

    /** An action on a connection. */
    interface Action {
        void run(Connection connection) throws SQLException;
    }
}
