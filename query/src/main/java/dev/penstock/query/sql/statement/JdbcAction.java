package dev.penstock.query.sql.statement;

import java.sql.SQLException;

/** Something that is to be done with JDBC. */
public interface JdbcAction {
    void run() throws SQLException;
}
