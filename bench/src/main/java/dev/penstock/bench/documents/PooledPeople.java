package dev.penstock.bench.documents;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** People in a table of a database, on a pool of connections that it closes. */
abstract class PooledPeople implements PeopleStore {
    final String table;
    final HikariDataSource pool;

    PooledPeople(String table, HikariDataSource pool) {
        this.table = table;
        this.pool = pool;
    }

    final void execute(String sql) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Asks for one number about the table, whose name is the query's parameter. */
    final long number(String sql) throws SQLException {
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, table);
            try (ResultSet found = statement.executeQuery()) {
                found.next();
                return found.getLong(1);
            }
        }
    }

    @Override
    public final void close() {
        pool.close();
    }
}
