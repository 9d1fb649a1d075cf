package dev.penstock.follow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.QueryException;
import dev.penstock.query.Table;
import dev.penstock.query.sql.Database;
import dev.penstock.snapshot.Snapshot;
import java.sql.SQLException;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Test;

/** Settings that keep changes from being followed, each with what helps. */
class PostgresSettingsIT {
    private static void requireRefused(FollowedPostgres database, String message) {
        assertThatThrownBy(database::follow).isInstanceOf(QueryException.class).hasMessage(message);
    }

    private static void requireTableRefused(String message, String... statements) {
        try (FollowedPostgres database = new FollowedPostgres(statements)) {
            requireRefused(database, message);
        }
    }

    @Test
    void start_ofAServerWithoutLogicalDecoding_namesTheSetting() {
        try (TestDatabase server = TestDatabase.create(Kind.POSTGRESQL)) {
            server.execute("CREATE TABLE notes (id int PRIMARY KEY)");
            Properties properties = new Properties();
            properties.setProperty("user", server.user());
            properties.setProperty("password", server.password());
            Database database = Database.connect(server.dataSource());
            Snapshot.Builder builder =
                    Snapshot.of(database)
                            .table(database.table("notes"))
                            .follow(PostgresFeed.of(server.url(), properties));
            assertThatThrownBy(builder::load)
                    .isInstanceOf(QueryException.class)
                    .hasMessage(
                            "the server's wal_level is replica, and its changes can be followed with logical alone: run"
                                    + " ALTER SYSTEM SET wal_level = logical and restart the server");
        }
    }

    @Test
    void start_ofTablesThatCantBeFollowed_saysWhy() {
        requireTableRefused(
                "table shown can't be followed: it is a view, of which the log tells nothing; choose its tables, or"
                        + " refresh by time",
                "CREATE TABLE notes (id int PRIMARY KEY)",
                "CREATE VIEW shown AS SELECT * FROM notes");
        requireTableRefused(
                "table bare can't be followed: once it was published, its updates and deletions would fail for want of"
                        + " a replica identity: run ALTER TABLE \"public\".\"bare\" REPLICA IDENTITY FULL",
                "CREATE TABLE bare (id int)");
        requireTableRefused(
                "table mute can't be followed: once it was published, its updates and deletions would fail for want of"
                        + " a replica identity: run ALTER TABLE \"public\".\"mute\" REPLICA IDENTITY FULL",
                "CREATE TABLE mute (id int PRIMARY KEY)",
                "ALTER TABLE mute REPLICA IDENTITY NOTHING");
        requireTableRefused(
                "table late can't be followed: once it was published, its updates and deletions would fail for want of"
                        + " a replica identity: run ALTER TABLE \"public\".\"late\" REPLICA IDENTITY FULL",
                "CREATE TABLE late (id int PRIMARY KEY DEFERRABLE)");
        requireTableRefused(
                "table fast can't be followed: it is not logged: run ALTER TABLE \"public\".\"fast\" SET LOGGED",
                "CREATE UNLOGGED TABLE fast (id int PRIMARY KEY)");
        requireTableRefused(
                "table years can't be followed: it has partitions or inherits, and the log does not tell when these"
                        + " come and go; refresh by time",
                "CREATE TABLE years (id int PRIMARY KEY) PARTITION BY RANGE (id)");
    }

    @Test
    void start_withAPublicationThatTellsTooLittle_namesTheStatement() {
        try (FollowedPostgres database =
                new FollowedPostgres(
                        "CREATE TABLE notes (id int PRIMARY KEY)",
                        "CREATE PUBLICATION penstock FOR TABLE notes WITH (publish = 'insert')")) {
            requireRefused(
                    database,
                    "publication penstock does not tell of every kind of change: run ALTER PUBLICATION \"penstock\" SET"
                            + " (publish = 'insert, update, delete, truncate')");
        }
    }

    @Test
    void start_withAPublicationOfOtherTables_addsThese() throws Exception {
        try (FollowedPostgres database =
                new FollowedPostgres(
                        "CREATE TABLE notes (id int PRIMARY KEY)",
                        "CREATE TABLE others (id int PRIMARY KEY)",
                        "CREATE PUBLICATION penstock FOR TABLE others")) {
            try (Snapshot snapshot = database.follow()) {
                database.execute("INSERT INTO notes VALUES (1)", "INSERT INTO others VALUES (2)");
                snapshot.refresh();
                database.requireSame(snapshot);
            }
            assertThat(database.first("SELECT count(*) FROM pg_publication_tables")).isEqualTo("2");
        }
    }

    @Test
    void start_withAUrlOfSeveralServers_asksForThePrimaryOne() {
        try (FollowedPostgres database =
                        new FollowedPostgres("CREATE TABLE notes (id int PRIMARY KEY)");
                PostgresFeed feed =
                        PostgresFeed.of(
                                "jdbc:postgresql://one,two/shop?user=x", database.properties())) {
            List<Table> tables = database.database().schema().tables();
            assertThatThrownBy(() -> feed.start(tables, null))
                    .isInstanceOf(QueryException.class)
                    .hasMessage(
                            "the URL has several servers, and changes are followed on the primary one alone: add"
                                    + " targetServerType=primary");
        }
    }

    @Test
    void close_ofAFeedOfWhichNothingLasts_leavesNoSlot() throws SQLException {
        try (FollowedPostgres database =
                new FollowedPostgres("CREATE TABLE notes (id int PRIMARY KEY)")) {
            try (PostgresFeed feed = database.feed().build()) {
                assertThat(feed.start(database.database().schema().tables(), null)).isFalse();
            }
            assertThat(
                            database.first(
                                    "SELECT count(*) FROM pg_replication_slots WHERE slot_name = '"
                                            + database.slot()
                                            + "'"))
                    .isEqualTo("0");
        }
    }

    @Test
    void start_asAUserWhoMayNot_namesTheStatements() throws SQLException {
        try (FollowedPostgres database =
                new FollowedPostgres("CREATE TABLE notes (id int PRIMARY KEY)")) {
            String user = database.slot().replace("slot_", "user_");
            database.execute(
                    "CREATE ROLE " + user + " LOGIN PASSWORD 'x'",
                    "GRANT SELECT ON ALL TABLES IN SCHEMA public TO " + user);
            try {
                List<Table> tables = database.database().schema().tables();
                Properties properties = database.properties();
                properties.setProperty("user", user);
                properties.setProperty("password", "x");
                assertThatThrownBy(
                                () -> {
                                    try (PostgresFeed feed = feed(database, properties)) {
                                        feed.start(tables, null);
                                    }
                                })
                        .isInstanceOf(QueryException.class)
                        .hasMessage(
                                "user "
                                        + user
                                        + " may not have publication penstock tell of the tables: run this as their"
                                        + " owner, with the right to CREATE in the database: CREATE PUBLICATION"
                                        + " \"penstock\" FOR TABLE \"public\".\"notes\"");
                database.execute("CREATE PUBLICATION penstock FOR TABLE notes");
                assertThatThrownBy(
                                () -> {
                                    try (PostgresFeed feed = feed(database, properties)) {
                                        feed.start(tables, null);
                                    }
                                })
                        .isInstanceOf(QueryException.class)
                        .hasMessage(
                                "user %s may not follow changes: run ALTER ROLE \"%s\" REPLICATION as a superuser"
                                        .formatted(user, user));
                database.execute("ALTER ROLE " + user + " REPLICATION");
                try (PostgresFeed feed = feed(database, properties)) {
                    assertThat(feed.start(tables, null)).isFalse();
                    database.execute("INSERT INTO notes VALUES (1)");
                    assertThat(feed.peek()).containsOnlyKeys("notes");
                }
                database.dropSlot();
            } finally {
                database.execute("DROP OWNED BY " + user, "DROP ROLE " + user);
            }
        }
    }

    private static PostgresFeed feed(FollowedPostgres database, Properties properties) {
        return PostgresFeed.builder(database.server().url(), properties)
                .slot(database.slot())
                .build();
    }

    @Test
    void start_withASlotThatIsInUse_saysSo() {
        try (FollowedPostgres database =
                        new FollowedPostgres("CREATE TABLE notes (id int PRIMARY KEY)");
                Snapshot _ = database.follow()) {
            assertThatThrownBy(database::follow)
                    .isInstanceOf(QueryException.class)
                    .hasMessageMatching(
                            "replication slot slot_\\w+ is in use by process \\d+ of the server: give each follower a"
                                    + " slot of its own; where that process is of one that is gone, the server ends it"
                                    + " after wal_sender_timeout");
        }
    }

    @Test
    void start_withASlotOfAnotherPlugin_saysSo() throws SQLException {
        try (FollowedPostgres database =
                new FollowedPostgres("CREATE TABLE notes (id int PRIMARY KEY)")) {
            database.first("SELECT pg_create_physical_replication_slot('" + database.slot() + "')");
            try {
                assertThatThrownBy(database::follow)
                        .isInstanceOf(QueryException.class)
                        .hasMessageEndingWith("choose another name for this one");
            } finally {
                database.first("SELECT pg_drop_replication_slot('" + database.slot() + "')");
            }
        }
    }

    @Test
    void refusal_ofAServerThatHasNoMore_namesTheSetting() {
        assertThat(PostgresSlot.refusal(new SQLException("", "53400"), "me"))
                .hasMessageContaining("ALTER SYSTEM SET max_replication_slots");
        assertThat(PostgresSlot.refusal(new SQLException("", "53300"), "me"))
                .hasMessageContaining("ALTER SYSTEM SET max_wal_senders");
        assertThat(PostgresSlot.refusal(new SQLException("", "XX000"), "me")).isNull();
    }

    @Test
    void builder_ofANameThatIsNone_isRefused() {
        assertThatThrownBy(() ->
                        PostgresFeed.builder("jdbc:postgresql:x", new Properties()).slot("A b"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "\"A b\" is no name of a slot: take at most 63 lower-case letters, digits and underscores, and"
                                + " no digit first");
    }
}
