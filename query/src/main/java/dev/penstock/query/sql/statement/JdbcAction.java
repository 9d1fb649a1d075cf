package dev.penstock.query.sql.statement;

import java.sql.SQLException;

/** An action on JDBC objects. */
public interface JdbcAction {
    void run() throws SQLException;
}
