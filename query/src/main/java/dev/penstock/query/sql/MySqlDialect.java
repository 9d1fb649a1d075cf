package dev.penstock.query.sql;

import java.sql.SQLException;
import java.sql.Statement;

/** MySQL and MariaDB servers, through MySQL's driver. It streams one row at a time, if it is asked in its own way. */
final class MySqlDialect extends MariaDbDialect {
    @Override
    String name() {
        return "MySQL";
    }

    @Override
    boolean readsTextAsBytes() {
        // The connection's character set is a setting of this driver.
        return false;
    }

    @Override
    void setFetchSize(Statement statement, SqlQuery query) throws SQLException {
        statement.setFetchSize(Integer.MIN_VALUE);
    }

    @Override
    String streamingRemedy() {
        return "pass setFetchSize(Integer.MIN_VALUE) on to MySQL Connector/J";
    }
}
