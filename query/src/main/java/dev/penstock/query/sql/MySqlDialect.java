package dev.penstock.query.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** MySQL and MariaDB servers, through MySQL's driver. It streams one row at a time, if it is asked in its own way. */
final class MySqlDialect extends MariaDbDialect {
    MySqlDialect(String exactCollation) {
        super(new MariaDbColumns(exactCollation, false));
    }

    @Override
    public String name() {
        return "MySQL";
    }

    @Override
    boolean readsTextAsBytes() {
        // The connection's character set is a setting of this driver.
        return false;
    }

    /** The driver takes such a statement for one without a result. */
    @Override
    boolean setsByStatement() {
        return false;
    }

    @Override
    void setFetchSize(Statement statement, SqlTemplate query) throws SQLException {
        statement.setFetchSize(Integer.MIN_VALUE);
    }

    /**
     * The driver forgets about a query when its first row is there: {@code cancel} does nothing from then on. What ends it at once is the
     * loss of its connection, which can't be used again after a cancel anyway.
     */
    @Override
    JdbcAction canceller(Connection connection, Statement statement) {
        return () -> {
            statement.cancel();
            connection.abort(Runnable::run);
        };
    }

    @Override
    String explained(String select) {
        return "EXPLAIN " + select;
    }

    @Override
    String streamingRemedy() {
        return "pass setFetchSize(Integer.MIN_VALUE) on to MySQL Connector/J";
    }
}
