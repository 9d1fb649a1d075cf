package dev.penstock.query.sql;

import java.sql.SQLException;

/** Something that is to be done with JDBC. */
interface JdbcAction {
    void run() throws SQLException;
}
