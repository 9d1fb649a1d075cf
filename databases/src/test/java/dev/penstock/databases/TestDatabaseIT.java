package dev.penstock.databases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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

    /** On a new machine, JVMs that run side by side find nothing installed, all at the same time. */
    @Test
    void create_bySeveralJvmsWhereNothingIsInstalled_startsAServerForEach(@TempDir Path root)
            throws Exception {
        List<Process> processes = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            processes.add(
                    new ProcessBuilder(
                                    Path.of(System.getProperty("java.home"), "bin", "java")
                                            .toString(),
                                    "-Xmx64m",
                                    "-XX:TieredStopAtLevel=1",
                                    "-Dpenstock.databases=" + root,
                                    "-cp",
                                    System.getProperty("java.class.path"),
                                    OneDatabase.class.getName())
                            .redirectErrorStream(true)
                            .redirectOutput(root.resolve("out" + i).toFile())
                            .start());
        }
        try {
            for (int i = 0; i < 2; i++) {
                Process process = processes.get(i);
                assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
                assertThat(process.exitValue())
                        .as(Files.readString(root.resolve("out" + i)))
                        .isZero();
            }
        } finally {
            for (Process process : processes) {
                // With it, its server ends.
                process.destroy();
                if (!process.waitFor(1, TimeUnit.MINUTES)) {
                    process.destroyForcibly();
                }
            }
        }
    }

    /** A program that makes a database on MariaDB, and ends. */
    static final class OneDatabase {
        private OneDatabase() {}

        public static void main(String[] arguments) {
            try (TestDatabase database = TestDatabase.create(TestDatabase.Kind.MARIADB)) {
                database.execute("CREATE TABLE t (a INT)");
            }
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
