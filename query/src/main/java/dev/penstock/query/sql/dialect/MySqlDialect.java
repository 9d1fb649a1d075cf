package dev.penstock.query.sql.dialect;

import dev.penstock.query.sql.schema.MariaDbExactText;
import dev.penstock.query.sql.statement.Capability;
import dev.penstock.query.sql.statement.JdbcAction;
import dev.penstock.query.sql.statement.SqlTemplate;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * The dialect of MySQL and MariaDB servers, through MySQL's driver. It streams one row at a time, if it is asked in its
 * own way.
 */
public final class MySqlDialect extends MariaDbDialect {
    public MySqlDialect(String exactCollation) {
        // Not TEXT_AS_BYTES: the connection's character set is a setting of this driver.
        super(
                new MariaDbExactText(exactCollation, false),
                Capability.NUL_CHARACTER,
                Capability.DRAINS_ON_CLOSE,
                Capability.ESTIMATES_ROWS,
                Capability.LOSES_NESTED_TEXTS,
                Capability.TESTED);
    }

    @Override
    public String name() {
        return "MySQL";
    }

    /** Returns false, because the driver takes such a statement for one without a result. */
    @Override
    public boolean setsByStatement() {
        return false;
    }

    @Override
    public void setFetchSize(Statement statement, SqlTemplate query) throws SQLException {
        statement.setFetchSize(Integer.MIN_VALUE);
    }

    /**
     * Returns an action that also ends the connection. The driver forgets about a query when its first row is there:
     * {@code cancel} does nothing from then on. What ends it at once is the loss of its connection, which can't be used
     * again after a cancel anyway.
     */
    @Override
    public JdbcAction canceller(Connection connection, Statement statement) {
        return () -> {
            statement.cancel();
            connection.abort(Runnable::run);
        };
    }

    @Override
    public String explained(String select) {
        return "EXPLAIN " + select;
    }

    @Override
    public String streamingRemedy() {
        return "pass setFetchSize(Integer.MIN_VALUE) on to MySQL Connector/J";
    }
}
