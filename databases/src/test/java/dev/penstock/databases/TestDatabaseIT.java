package dev.penstock.databases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class TestDatabaseIT {
    @ParameterizedTest
    @EnumSource
    void create_twice_databasesApart(TestDatabase.Kind kind) throws SQLException {
        try (TestDatabase one = TestDatabase.create(kind);
                TestDatabase other = TestDatabase.create(kind)) {
            one.execute("CREATE TABLE t (a VARCHAR(20))", "INSERT INTO t VALUES ('\uD83D\uDE00é')");
            assertThat(first(one, "SELECT a FROM t")).isEqualTo("\uD83D\uDE00é");
            assertThatThrownBy(() -> other.execute("SELECT a FROM t"))
                    .hasMessageStartingWith(kind + ": ");
        }
    }

    @ParameterizedTest
    @EnumSource
    void close_fresh_dropped(TestDatabase.Kind kind) {
        TestDatabase database = TestDatabase.create(kind);
        database.execute("CREATE TABLE t (a INT)");
        database.close();
        assertThatThrownBy(() -> database.execute("SELECT a FROM t"))
                .isInstanceOf(IllegalStateException.class);
    }

    @ParameterizedTest
    @EnumSource
    void kept_closed_stillThere(TestDatabase.Kind kind) throws SQLException {
        try (TestDatabase database = TestDatabase.kept(kind, "kept_test")) {
            database.execute(
                    "DROP TABLE IF EXISTS t",
                    "CREATE TABLE t (a VARCHAR(20))",
                    "INSERT INTO t VALUES ('x')");
        }
        try (TestDatabase database = TestDatabase.kept(kind, "kept_test")) {
            assertThat(first(database, "SELECT a FROM t")).isEqualTo("x");
        }
    }

    private static String first(TestDatabase database, String sql) throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getString(1);
        }
    }
}
