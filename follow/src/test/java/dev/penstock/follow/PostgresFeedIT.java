package dev.penstock.follow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.databases.TestDatabase;
import dev.penstock.snapshot.ScheduledRefresh;
import dev.penstock.snapshot.Snapshot;
import dev.penstock.snapshot.Version;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Snapshots that follow each kind of change in PostgreSQL, one after the other. */
@Timeout(120)
class PostgresFeedIT {
    @TempDir Path directory;

    /** The server's first start may take longer than a test. */
    @BeforeAll
    static void start() {
        TestDatabase.createLogged(TestDatabase.Kind.POSTGRESQL).close();
    }

    @Test
    void refresh_afterChangesOfEachKind_hasThem() throws Exception {
        try (FollowedPostgres database =
                        new FollowedPostgres(
                                "CREATE TABLE notes (id int PRIMARY KEY, word text)",
                                "INSERT INTO notes SELECT x, 'word ' || x FROM generate_series(1, 2000) x",
                                "CREATE TABLE \"Odd \"\"names\" (\"a b\" int PRIMARY KEY, \"C\" int)");
                Snapshot snapshot = database.follow()) {
            database.requireSame(snapshot);
            database.transaction(
                    "UPDATE notes SET word = 'new' WHERE id % 5 = 0",
                    "DELETE FROM notes WHERE id % 7 = 0",
                    "UPDATE notes SET id = id + 10000 WHERE id % 11 = 0",
                    "INSERT INTO notes VALUES (-5, NULL)",
                    "INSERT INTO \"Odd \"\"names\" VALUES (1, 2)");
            snapshot.refresh();
            database.requireSame(snapshot);
            database.transaction("TRUNCATE notes", "INSERT INTO notes VALUES (1, 'alone')");
            snapshot.refresh();
            database.requireSame(snapshot);
            database.execute("UPDATE notes SET word = 'not alone'");
            snapshot.refresh();
            database.requireSame(snapshot);
        }
    }

    @Test
    void refresh_whileTransactionsAreOpen_hasWhatWasCommitted() throws Exception {
        try (FollowedPostgres database =
                        new FollowedPostgres(
                                "CREATE TABLE notes (id int PRIMARY KEY, word text)",
                                "INSERT INTO notes SELECT x, 'word ' || x FROM generate_series(1, 20) x");
                Snapshot snapshot = database.follow();
                Connection open = database.server().connect();
                Statement statement = open.createStatement()) {
            open.setAutoCommit(false);
            statement.execute("UPDATE notes SET word = 'open' WHERE id = 1");
            statement.execute("SAVEPOINT a");
            statement.execute("UPDATE notes SET word = 'undone' WHERE id = 2");
            statement.execute("ROLLBACK TO SAVEPOINT a");
            database.execute("UPDATE notes SET word = 'other' WHERE id = 3");
            snapshot.refresh();
            database.requireSame(snapshot);
            open.commit();
            snapshot.refresh();
            database.requireSame(snapshot);
            statement.execute("DELETE FROM notes");
            open.rollback();
            snapshot.refresh();
            database.requireSame(snapshot);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "smallint; -32768; 0; 32767",
                "int; -2147483648; 0; 2147483647",
                "bigint; -9223372036854775808; 0; 9223372036854775807",
                "numeric; -1.50; 0; 12345678901234567890.123456789",
                "numeric; 'NaN'; 'Infinity'; 1",
                "boolean; false; true; NULL",
                "text; ''; '\"it''s\" \\ \uD83D\uDE00 e\u0301'; repeat('long ', 300)",
                "varchar(20); 'a'; 'A'; 'a '",
                "char(5); 'a'; 'A'; 'a b'",
                "text COLLATE \"C\"; 'a'; 'A'; 'a '",
                "date; '0001-01-01'; '2026-11-29'; '9999-12-31'",
                "date; '-infinity'; '0044-03-15 BC'; '12026-11-29'",
                "time; '00:00'; '12:00:00.000001'; '24:00'",
                "timestamp; '1969-12-31 23:59:59.999999'; '2026-11-29'; 'infinity'",
                "timestamptz; '1969-12-31 23:59:59.999999+00'; '2026-11-29 12:00+05:30'; '2026-06-01 00:00:00.5+02'",
                "uuid; '00000000-0000-0000-0000-000000000000'; '80000000-0000-0000-0000-000000000000';"
                        + " 'ffffffff-ffff-ffff-ffff-ffffffffffff'",
                "double precision; '-0'; 1.5; 'NaN'",
                "bytea; '\\x'; '\\x00ff'; '\\xff'",
                "inet; '10.0.0.1'; '10.0.0.0/8'; '::1'",
                "oid; 1; 4294967295; 2",
            })
    void refresh_ofKeysOfEachType_findsWhatChangedAndWhatIsGone(
            String type, String one, String two, String three) throws Exception {
        boolean hasThree = !three.equals("NULL");
        try (FollowedPostgres database =
                        new FollowedPostgres(
                                "CREATE TABLE keyed (k " + type + " PRIMARY KEY, n int)",
                                "INSERT INTO keyed VALUES (" + one + ", 1), (" + two + ", 2)");
                Snapshot snapshot = database.follow()) {
            if (hasThree) {
                database.execute("INSERT INTO keyed VALUES (" + three + ", 3)");
            }
            snapshot.refresh();
            database.requireSame(snapshot);
            database.execute(
                    "DELETE FROM keyed WHERE k = " + one,
                    "UPDATE keyed SET n = 22 WHERE k = " + two);
            snapshot.refresh();
            database.requireSame(snapshot);
            database.execute("UPDATE keyed SET k = " + one + " WHERE k = " + two);
            snapshot.refresh();
            database.requireSame(snapshot);
        }
    }

    @Test
    void refresh_ofAKeyOfSeveralColumns_findsIt() throws Exception {
        try (FollowedPostgres database =
                        new FollowedPostgres(
                                "CREATE TYPE mood AS ENUM ('sad', 'glad')",
                                "CREATE DOMAIN part AS int CHECK (value > 0)",
                                "CREATE TABLE parts (n int, day date, m mood, p part, v text, PRIMARY KEY (m, p, day))",
                                "INSERT INTO parts SELECT x, date '2020-01-01' + x, (array['sad', 'glad'])[1 + x % 2]::mood,"
                                        + " 1 + x % 9, 'v' FROM generate_series(1, 900) x");
                Snapshot snapshot = database.follow()) {
            database.transaction(
                    "UPDATE parts SET v = 'w' WHERE n % 3 = 0",
                    "DELETE FROM parts WHERE n % 5 = 0",
                    "UPDATE parts SET m = 'sad', p = 10 WHERE n % 7 = 0");
            snapshot.refresh();
            database.requireSame(snapshot);
        }
    }

    @Test
    void refresh_ofTablesThatTellNoKey_hasTheirChanges() throws Exception {
        try (FollowedPostgres database =
                        new FollowedPostgres(
                                "CREATE TABLE bare (a int, b text)",
                                "ALTER TABLE bare REPLICA IDENTITY FULL",
                                "CREATE TABLE whole (a int PRIMARY KEY, b text)",
                                "ALTER TABLE whole REPLICA IDENTITY FULL",
                                "CREATE TABLE named (a int PRIMARY KEY, b int NOT NULL UNIQUE)",
                                "ALTER TABLE named REPLICA IDENTITY USING INDEX named_b_key",
                                "INSERT INTO bare VALUES (1, 'x'), (1, 'x')",
                                "INSERT INTO whole VALUES (1, repeat('x', 100000)), (2, 'y')",
                                "INSERT INTO named VALUES (1, 1), (2, 2)");
                Snapshot snapshot = database.follow()) {
            database.transaction(
                    "UPDATE bare SET b = 'y'",
                    "UPDATE whole SET a = a + 1 WHERE a = 2",
                    "UPDATE named SET a = 5 WHERE b = 1");
            snapshot.refresh();
            database.requireSame(snapshot);
            database.transaction("DELETE FROM whole WHERE a = 1", "DELETE FROM named WHERE b = 2");
            snapshot.refresh();
            database.requireSame(snapshot);
        }
    }

    @Test
    void refresh_ofLongValuesThatDidNotChange_keepsThem() throws Exception {
        try (FollowedPostgres database =
                        new FollowedPostgres(
                                "CREATE TABLE notes (id text PRIMARY KEY, n int, b text)",
                                "INSERT INTO notes SELECT repeat(md5(x::text), 60), x, repeat(md5(x::text), 9999)"
                                        + " FROM generate_series(1, 4) x");
                Snapshot snapshot = database.follow()) {
            database.execute("UPDATE notes SET n = n + 1 WHERE n < 3");
            snapshot.refresh();
            database.requireSame(snapshot);
        }
    }

    @Test
    void refresh_ofMoreRowsThanMayWait_readsTheWholeTable() throws Exception {
        try (FollowedPostgres database =
                        new FollowedPostgres(
                                "CREATE TABLE notes (id int PRIMARY KEY, word text)",
                                "INSERT INTO notes VALUES (-1, 'first')");
                Snapshot snapshot = database.follow()) {
            database.execute(
                    "INSERT INTO notes SELECT x, 'word ' || x FROM generate_series(1, 100500) x");
            snapshot.refresh();
            database.requireSame(snapshot);
            database.execute("DELETE FROM notes WHERE id > 5");
            snapshot.refresh();
            database.requireSame(snapshot);
        }
    }

    @Test
    void refresh_afterTheTableItselfWasChanged_readsItAnew() throws Exception {
        try (FollowedPostgres database =
                        new FollowedPostgres(
                                "CREATE TABLE notes (id int PRIMARY KEY, n int)",
                                "INSERT INTO notes SELECT x, x FROM generate_series(1, 100) x");
                Snapshot snapshot = database.follow()) {
            // No row of it is in the log.
            database.execute("ALTER TABLE notes ALTER COLUMN n TYPE int USING n * 2");
            snapshot.refresh();
            database.requireSame(snapshot);
        }
    }

    @Test
    void refresh_afterTheTableWasMadeAnew_followsTheNewOne() throws Exception {
        try (FollowedPostgres database =
                        new FollowedPostgres(
                                "CREATE TABLE notes (id int PRIMARY KEY, n int)",
                                "INSERT INTO notes SELECT x, x FROM generate_series(1, 100) x");
                Snapshot snapshot = database.follow()) {
            database.transaction(
                    "DROP TABLE notes",
                    "CREATE TABLE notes (id int PRIMARY KEY, n int)",
                    "INSERT INTO notes SELECT x, -x FROM generate_series(1, 50) x");
            refreshUntil(snapshot, 50);
            database.execute("DELETE FROM notes WHERE id = 7");
            snapshot.refresh();
            database.requireSame(snapshot);
        }
    }

    @Test
    void refresh_afterATableTookTheNameOfAnother_followsThatOne() throws Exception {
        try (FollowedPostgres database =
                        new FollowedPostgres(
                                "CREATE TABLE notes (id int PRIMARY KEY, n int)",
                                "INSERT INTO notes SELECT x, x FROM generate_series(1, 100) x");
                Snapshot snapshot = database.follow()) {
            database.transaction(
                    "CREATE TABLE next (id int PRIMARY KEY, n int)",
                    "INSERT INTO next SELECT x, -x FROM generate_series(1, 50) x",
                    "DROP TABLE notes",
                    "ALTER TABLE next RENAME TO notes");
            refreshUntil(snapshot, 50);
            database.execute("UPDATE notes SET n = 7 WHERE id = 7");
            snapshot.refresh();
            database.requireSame(snapshot);
        }
    }

    @Test
    void refresh_afterAColumnWasReplacedOrAPublicationMadeAnew_readsTheTable() throws Exception {
        try (FollowedPostgres database =
                        new FollowedPostgres(
                                "CREATE TABLE notes (id int PRIMARY KEY, n int)",
                                "INSERT INTO notes SELECT x, x FROM generate_series(1, 100) x");
                Snapshot snapshot = database.follow()) {
            // No row is written anew.
            database.execute(
                    "ALTER TABLE notes DROP COLUMN n",
                    "ALTER TABLE notes ADD COLUMN n int DEFAULT 5");
            snapshot.refresh();
            database.requireSame(snapshot);
            database.execute("DROP PUBLICATION penstock", "UPDATE notes SET n = 6 WHERE id = 3");
            refreshUntilSame(database, snapshot, "6");
            database.execute("UPDATE notes SET n = 8 WHERE id = 3");
            snapshot.refresh();
            database.requireSame(snapshot);
        }
    }

    private static void refreshUntilSame(
            FollowedPostgres database, Snapshot snapshot, String last) {
        while (FollowedPostgres.rows(snapshot.engine(), database.database().table("notes")).stream()
                .noneMatch(row -> row.contains("|" + last + "|"))) {
            try {
                Version _ = snapshot.refresh();
            } catch (dev.penstock.query.QueryException e) {
                assertThat(e.getMessage())
                        .containsAnyOf("following begins again", "does not exist");
            }
        }
    }

    private static void refreshUntil(Snapshot snapshot, long rows) {
        while (snapshot.version().rows() != rows) {
            try {
                Version _ = snapshot.refresh();
            } catch (dev.penstock.query.QueryException e) {
                assertThat(e).hasMessageContaining("following begins again");
            }
        }
    }

    @Test
    void refresh_afterTheConnectionWasLost_goesOn() throws Exception {
        try (FollowedPostgres database =
                        new FollowedPostgres(
                                "CREATE TABLE notes (id int PRIMARY KEY, n int)",
                                "INSERT INTO notes SELECT x, x FROM generate_series(1, 100) x");
                Snapshot snapshot = database.follow()) {
            for (int i = 1; i <= 3; i++) {
                database.execute("UPDATE notes SET n = n + 1 WHERE id = " + i);
                database.breakOff();
                database.execute("DELETE FROM notes WHERE id = " + (10 + i));
                snapshot.refresh();
                database.requireSame(snapshot);
            }
        }
    }

    @Test
    void refresh_afterTheSlotWasDropped_loadsAllAndGoesOn() throws Exception {
        try (FollowedPostgres database =
                        new FollowedPostgres(
                                "CREATE TABLE notes (id int PRIMARY KEY, n int)",
                                "INSERT INTO notes SELECT x, x FROM generate_series(1, 100) x");
                Snapshot snapshot = database.follow()) {
            database.dropSlot();
            database.execute("UPDATE notes SET n = 0 WHERE id = 5");
            snapshot.refresh();
            database.requireSame(snapshot);
            database.execute("UPDATE notes SET n = 1 WHERE id = 6");
            snapshot.refresh();
            database.requireSame(snapshot);
        }
    }

    @Test
    void start_fromAFile_hasWhatWasChangedMeanwhile() throws Exception {
        Path file = directory.resolve("notes.penstock");
        try (FollowedPostgres database =
                new FollowedPostgres(
                        "CREATE TABLE notes (id int PRIMARY KEY, n int)",
                        "INSERT INTO notes SELECT x, x FROM generate_series(1, 100) x")) {
            try (Snapshot snapshot = database.follow(file)) {
                database.execute("UPDATE notes SET n = 0 WHERE id = 1");
                snapshot.refresh();
                snapshot.save();
                database.execute("UPDATE notes SET n = 0 WHERE id = 2");
                // What was not saved is told again.
                snapshot.refresh();
            }
            database.execute(
                    "UPDATE notes SET n = 0 WHERE id = 3", "DELETE FROM notes WHERE id = 4");
            try (Snapshot snapshot = database.follow(file)) {
                assertThat(snapshot.isFromFile()).isTrue();
                snapshot.refresh();
                assertThat(snapshot.isFromFile()).isFalse();
                database.requireSame(snapshot);
            }
            database.dropSlot();
            database.execute("DELETE FROM notes WHERE id = 9");
            try (Snapshot snapshot = database.follow(file)) {
                assertThat(snapshot.isFromFile()).isFalse();
                database.requireSame(snapshot);
                snapshot.save();
            }
            database.execute("ALTER TABLE notes ALTER COLUMN n TYPE int USING n * 2");
            try (Snapshot snapshot = database.follow(file)) {
                assertThat(snapshot.isFromFile()).isFalse();
                database.requireSame(snapshot);
            }
        }
    }

    @Test
    void confirm_ofVersions_letsTheServerDropItsLog() throws Exception {
        try (FollowedPostgres database =
                        new FollowedPostgres(
                                "CREATE TABLE notes (id int PRIMARY KEY, n int)",
                                "CREATE TABLE others (n int)");
                Snapshot snapshot =
                        Snapshot.of(database.database())
                                .table(database.database().table("notes"))
                                .follow(database.feed().build())
                                .load()) {
            String confirmed =
                    "SELECT confirmed_flush_lsn FROM pg_replication_slots WHERE slot_name = '"
                            + database.slot()
                            + "'";
            String behind =
                    "SELECT confirmed_flush_lsn > '%s'::pg_lsn FROM pg_replication_slots WHERE slot_name = '"
                            + database.slot()
                            + "'";
            String first = database.first(confirmed);
            database.execute("INSERT INTO others SELECT x FROM generate_series(1, 1000) x");
            while (!"t".equals(database.first(behind.formatted(first)))) {
                snapshot.refresh();
            }
        }
    }

    @Test
    void close_ofAFeedThatDropsItsSlot_leavesNone() throws Exception {
        try (FollowedPostgres database =
                new FollowedPostgres("CREATE TABLE notes (id int PRIMARY KEY, n int)")) {
            String slots =
                    "SELECT count(*) FROM pg_replication_slots WHERE slot_name = '"
                            + database.slot()
                            + "'";
            Snapshot kept = database.follow();
            kept.close();
            kept.close();
            assertThat(database.first(slots)).isEqualTo("1");
            database.awaitFreeSlot();
            database.settings().follow(database.feed().dropOnClose(true).build()).load().close();
            assertThat(database.first(slots)).isEqualTo("0");
        }
    }

    @Test
    void refreshOnChanges_eachCommit_isSeenSoon() throws Exception {
        try (FollowedPostgres database =
                        new FollowedPostgres("CREATE TABLE notes (id int PRIMARY KEY, n int)");
                Snapshot snapshot = database.follow();
                ScheduledRefresh schedule = snapshot.refreshOnChanges(Duration.ofMillis(50))) {
            for (int i = 1; i <= 5; i++) {
                database.execute("INSERT INTO notes VALUES (" + i + ", 0)");
                while (snapshot.version().rows() < i) {
                    assertThat(schedule.failures().inARow()).isZero();
                    Thread.onSpinWait();
                }
            }
        }
    }
}
