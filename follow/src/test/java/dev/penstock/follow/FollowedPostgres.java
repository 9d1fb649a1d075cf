package dev.penstock.follow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.Engine;
import dev.penstock.query.Plan;
import dev.penstock.query.Table;
import dev.penstock.query.sql.Database;
import dev.penstock.query.sql.Rows;
import dev.penstock.snapshot.Snapshot;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Properties;

/** A database whose log tells of changes, and snapshots that follow it. */
final class FollowedPostgres implements AutoCloseable {
    private final TestDatabase server = TestDatabase.createLogged(Kind.POSTGRESQL);
    private final String slot = server.url().replaceFirst(".*/", "slot_");

    /**
     * @param statements make the tables
     */
    FollowedPostgres(String... statements) {
        server.execute(statements);
    }

    TestDatabase server() {
        return server;
    }

    String slot() {
        return slot;
    }

    Properties properties() {
        Properties properties = new Properties();
        properties.setProperty("user", server.user());
        properties.setProperty("password", server.password());
        return properties;
    }

    PostgresFeed.Builder feed() {
        return PostgresFeed.builder(server.url(), properties()).slot(slot);
    }

    Database database() {
        return Database.connect(server.dataSource());
    }

    /** Settings that load every table. */
    Snapshot.Builder settings() {
        Database database = database();
        Snapshot.Builder builder = Snapshot.of(database);
        database.schema().tables().forEach(builder::table);
        return builder;
    }

    /** Loads every table, and follows the changes. */
    Snapshot follow() {
        return settings().follow(feed().build()).load();
    }

    /** Follows from where a file was saved, once nobody has the slot. */
    Snapshot follow(Path file) throws SQLException {
        awaitFreeSlot();
        return settings().file(file).follow(feed().build()).load();
    }

    void execute(String... statements) {
        server.execute(statements);
    }

    /** Runs statements in one transaction. */
    void transaction(String... statements) throws SQLException {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            for (String sql : statements) {
                statement.execute(sql);
            }
            connection.commit();
        }
    }

    String first(String sql) throws SQLException {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            return row.next() ? row.getString(1) : null;
        }
    }

    private String reader() throws SQLException {
        return first(
                "SELECT active_pid FROM pg_replication_slots WHERE slot_name = '" + slot + "'");
    }

    /** Waits until the server knows that a connection is gone which read the log. A feed itself does not wait long. */
    void awaitFreeSlot() throws SQLException {
        while (reader() != null) {
            Thread.onSpinWait();
        }
    }

    /** Ends the connection that reads the log, and waits for its end. */
    void breakOff() throws SQLException {
        String reader = reader();
        while (reader != null
                && first(
                                "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE pid = "
                                        + reader)
                        != null) {
            Thread.onSpinWait();
        }
    }

    /** Drops the slot, though it is read. */
    void dropSlot() throws SQLException {
        String named = " FROM pg_replication_slots WHERE slot_name = '" + slot + "'";
        while (first("SELECT 1" + named) != null) {
            breakOff();
            try {
                first("SELECT pg_drop_replication_slot(slot_name)" + named + " AND NOT active");
            } catch (SQLException e) {
                // It was read again in this moment.
                assertThat(e.getMessage()).contains("is active");
            }
        }
    }

    /** Requires that memory has what the database has, once nobody writes. */
    void requireSame(Snapshot snapshot) {
        Database database = database();
        for (Table table : database.schema().tables()) {
            assertThat(rows(snapshot.pin().engine(), table))
                    .as(table.name())
                    .isEqualTo(rows(database, table));
        }
    }

    static List<String> rows(Engine engine, Table table) {
        return Rows.texts(engine, Plan.of(table)).stream()
                .map(row -> String.join("|", row) + "|")
                .sorted()
                .toList();
    }

    @Override
    public void close() {
        server.close();
    }
}
