package dev.penstock.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.Cursor;
import dev.penstock.query.Engine;
import dev.penstock.query.Plan;
import dev.penstock.query.Predicate;
import dev.penstock.query.QueryException;
import dev.penstock.query.Table;
import dev.penstock.query.sql.Database;
import dev.penstock.query.sql.Rows;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Snapshots that follow a feed: what it tells is read, nothing else, and it is told what lasts. */
@Timeout(120)
class FollowedChangesTest {
    private final TestDatabase server = TestDatabase.create(Kind.H2);
    private final ListedFeed feed = new ListedFeed();
    private final Database database;
    private final Table notes;

    @TempDir Path directory;

    FollowedChangesTest() {
        server.execute(
                "create table notes (id int primary key, word varchar(20))",
                "insert into notes select x, 'word ' || x from system_range(1, 5000)");
        database = Database.connect(server.dataSource());
        notes = database.table("notes");
    }

    @AfterEach
    void close() {
        server.close();
    }

    private Snapshot following() {
        return Snapshot.of(database).table(notes).follow(feed).load();
    }

    private static List<String> rows(Engine engine, Table table) {
        return Rows.texts(engine, Plan.of(table)).stream()
                .map(row -> String.join("|", row) + "|")
                .sorted()
                .toList();
    }

    private void requireSame(Snapshot snapshot, Table table) {
        assertThat(rows(snapshot.engine(), table)).isEqualTo(rows(database, table));
    }

    private static String word(Snapshot snapshot, Table notes, int id) {
        Plan plan =
                Plan.of(notes)
                        .where(new Predicate.Comparison("ID", Predicate.Comparator.EQUAL, id))
                        .select(List.of(new Plan.Item("WORD", "WORD")));
        try (Cursor cursor = snapshot.engine().open(plan)) {
            return cursor.next() ? cursor.getString(0) : null;
        }
    }

    @Test
    void refresh_ofToldKeys_readsTheseAlone() {
        try (Snapshot snapshot = following()) {
            server.execute(
                    "update notes set word = 'new' where id in (1, 2)",
                    "delete from notes where id = 7",
                    "insert into notes values (0, 'first'), (9000, 'last')");
            feed.tell("NOTES", 1, 7, 0, 9000, 12345, 3);
            assertThat(snapshot.refresh().number()).isEqualTo(2);
            assertThat(word(snapshot, notes, 1)).isEqualTo("new");
            assertThat(word(snapshot, notes, 2)).isEqualTo("word 2");
            feed.tell("NOTES", 2);
            snapshot.refresh();
            requireSame(snapshot, notes);
        }
    }

    @Test
    void refresh_withFurtherKeysOnceItsMomentIsFixed_readsThemToo() {
        try (Snapshot snapshot = following()) {
            server.execute("update notes set word = 'new' where id in (1, 2)");
            feed.tell("NOTES", 1);
            feed.tellLate("NOTES", 2);
            snapshot.refresh();
            requireSame(snapshot, notes);
        }
    }

    @Test
    void refresh_ofKeysThatCantBeTakenYet_readsThem() {
        try (Snapshot snapshot = following()) {
            server.execute("update notes set word = 'new' where id = 2");
            feed.tellLate("NOTES", 2);
            snapshot.refresh();
            requireSame(snapshot, notes);
            assertThat(snapshot.position()).contains("0");
        }
    }

    @Test
    void refresh_whileATableIsEmptied_readsItAgain() {
        try (Snapshot snapshot = following()) {
            server.execute("update notes set word = 'new' where id = 2");
            feed.tell("NOTES", 2);
            feed.disturbances = 4;
            snapshot.refresh();
            requireSame(snapshot, notes);
            feed.tell("NOTES", 3);
            feed.disturbances = 5;
            assertThatThrownBy(snapshot::refresh)
                    .isInstanceOf(QueryException.class)
                    .hasMessageContaining("written anew each of the 5 times");
        }
    }

    @Test
    void refresh_ofAll_readsTheWholeTable() {
        try (Snapshot snapshot = following()) {
            server.execute(
                    "update notes set word = 'new ' || id", "delete from notes where id < 9");
            feed.tellAll("NOTES");
            snapshot.refresh();
            requireSame(snapshot, notes);
        }
    }

    @Test
    void refresh_thatFails_leavesWhatItTookToTheNext() {
        try (Snapshot snapshot = following()) {
            server.execute("update notes set word = 'new' where id in (1, 2)");
            feed.tell("NOTES", 1);
            feed.failure = new QueryException(QueryException.Kind.UNAVAILABLE, "no log");
            assertThatThrownBy(snapshot::refresh).hasMessage("no log");
            assertThat(word(snapshot, notes, 1)).isEqualTo("word 1");
            feed.tell("NOTES", 2);
            snapshot.refresh();
            requireSame(snapshot, notes);
        }
    }

    @Test
    void refresh_withoutChanges_isTheSameVersionUntilThePositionMoves() {
        try (Snapshot snapshot = following()) {
            assertThat(snapshot.refresh().number()).isEqualTo(1);
            feed.position = 5;
            assertThat(snapshot.refresh().number()).isEqualTo(2);
            assertThat(snapshot.position()).contains("5");
            assertThat(feed.confirmed).containsExactly("0", "5");
        }
        assertThat(feed.closed).isTrue();
    }

    @Test
    void refresh_ofMoreKeysThanAStatementHas_readsAll() {
        try (Snapshot snapshot = following()) {
            server.execute(
                    "update notes set word = 'new ' || id where mod(id, 2) = 0",
                    "delete from notes where mod(id, 3) = 0");
            feed.tell("NOTES", IntStream.range(1, 4000).boxed().toArray());
            feed.tell("NOTES", IntStream.range(4000, 5001).boxed().toArray());
            snapshot.refresh();
            requireSame(snapshot, notes);
        }
    }

    @Test
    void refresh_ofKeysThatFitNoColumn_readsTheWholeTable() {
        try (Snapshot snapshot = following()) {
            server.execute("update notes set word = 'new' where id = 3");
            feed.tell("NOTES", "three");
            snapshot.refresh();
            requireSame(snapshot, notes);
        }
    }

    @Test
    void refresh_ofKeysOfEachType_findsWhatChangedAndWhatIsGone() {
        requireKeys(
                "bigint",
                "-9223372036854775808, 0, 9223372036854775807",
                Long.MIN_VALUE,
                0L,
                Long.MAX_VALUE);
        requireKeys(
                "decimal(20, 2)",
                "-1.50, 0, 123456789012345678.25",
                new BigDecimal("-1.5"),
                BigDecimal.ZERO,
                new BigDecimal("123456789012345678.25"));
        requireKeys(
                "varchar(90)",
                "'', 'it''s', '\uD83D\uDE00 e\u0301'",
                "",
                "it's",
                "\uD83D\uDE00 e\u0301");
        requireKeys(
                "date",
                "date '0001-01-01', date '2026-11-29', date '9999-12-31'",
                LocalDate.of(1, 1, 1),
                LocalDate.of(2026, 11, 29),
                LocalDate.of(9999, 12, 31));
        requireKeys(
                "timestamp",
                "timestamp '1969-12-31 23:59:59.999999', timestamp '2026-11-29 00:00:00', timestamp '2026-11-29 00:00:00.1'",
                LocalDateTime.parse("1969-12-31T23:59:59.999999"),
                LocalDateTime.parse("2026-11-29T00:00:00"),
                LocalDateTime.parse("2026-11-29T00:00:00.1"));
        requireKeys(
                "time",
                "time '00:00:00', time '12:00:00', time '23:59:59'",
                LocalTime.MIN,
                LocalTime.NOON,
                LocalTime.of(23, 59, 59));
        requireKeys("boolean", "false, true", false, true);
        requireKeys(
                "uuid",
                "'00000000-0000-0000-0000-000000000000', '80000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'",
                new UUID(0, 0),
                new UUID(Long.MIN_VALUE, 0),
                new UUID(-1, -1));
    }

    /** The first of the keys goes, the last one's row is changed; each is told, and then put back. */
    private void requireKeys(String type, String literals, Object... keys) {
        try (TestDatabase own = TestDatabase.create(Kind.H2)) {
            own.execute("create table keyed (k " + type + " primary key, n int)");
            String[] all = literals.split(", ", -1);
            for (int i = 0; i < all.length; i++) {
                own.execute("insert into keyed values (" + all[i] + ", " + i + ")");
            }
            Database of = Database.connect(own.dataSource());
            Table table = of.table("keyed");
            ListedFeed told = new ListedFeed();
            try (Snapshot snapshot = Snapshot.of(of).table(table).follow(told).load()) {
                own.execute(
                        "delete from keyed where k = " + all[0],
                        "update keyed set n = 99 where k = " + all[all.length - 1]);
                told.tell("KEYED", keys);
                snapshot.refresh();
                assertThat(rows(snapshot.engine(), table)).as(type).isEqualTo(rows(of, table));
                own.execute("insert into keyed values (" + all[0] + ", 7)");
                told.tell("KEYED", keys[0]);
                snapshot.refresh();
                assertThat(rows(snapshot.engine(), table)).as(type).isEqualTo(rows(of, table));
            }
        }
    }

    @Test
    void refresh_ofKeysOfSeveralColumns_findsThem() {
        server.execute(
                "create table parts (a int, b varchar(9), c date, n int, primary key (b, a, c))",
                "insert into parts select mod(x, 7), 'b' || mod(x, 30), dateadd(day, x, date '2020-01-01'), x"
                        + " from system_range(1, 1000)");
        Table parts = Database.connect(server.dataSource()).table("parts");
        Database with = Database.connect(server.dataSource());
        try (Snapshot snapshot = Snapshot.of(with).table(parts).follow(feed).load()) {
            List<List<Object>> keys = new ArrayList<>();
            for (int x = 1; x <= 1000; x += 3) {
                keys.add(List.of("b" + x % 30, x % 7, LocalDate.of(2020, 1, 1).plusDays(x)));
            }
            server.execute(
                    "update parts set n = -n where mod(n, 6) = 1",
                    "delete from parts where mod(n, 6) = 4 and n > 0");
            feed.tell("PARTS", keys);
            snapshot.refresh();
            assertThat(rows(snapshot.engine(), parts)).isEqualTo(rows(with, parts));
        }
    }

    @Test
    void refresh_ofChosenRows_followsWhichPass() {
        try (TestDatabase films = Film.database(Kind.H2, 300)) {
            Database of = Database.connect(films.dataSource());
            String table = of.table(Film.TABLE.table()).name();
            Snapshot.Builder builder =
                    Snapshot.of(of).table(Film.TABLE.where(Film.LENGTH.greaterThan(100)));
            try (Snapshot snapshot = builder.memoryOnly().follow(feed).load()) {
                Supplier<List<Integer>> held =
                        () ->
                                snapshot.table(Film.TABLE).stream()
                                        .filter(Film.LENGTH.greaterThan(100))
                                        .mapToInt(Film.ID)
                                        .boxed()
                                        .toList();
                int passing = held.get().getFirst();
                int other = passing == 1 ? 2 : 1;
                assertThat(held.get()).doesNotContain(other);
                films.execute(
                        "update films set length = 5 where id = " + passing,
                        "update films set length = 105 where id = " + other);
                feed.tell(table, passing, other);
                snapshot.refresh();
                assertThat(held.get()).contains(other).doesNotContain(passing);
            }
        }
    }

    @Test
    void start_fromAFile_goesOnFromItsPosition() throws Exception {
        Path file = directory.resolve("notes.penstock");
        feed.position = 41;
        try (Snapshot snapshot =
                Snapshot.of(database).table(notes).file(file).follow(feed).load()) {
            feed.tell("NOTES", 1);
            snapshot.refresh();
            assertThat(feed.confirmed).isEmpty();
            snapshot.save();
            assertThat(feed.confirmed).containsExactly("42");
        }
        server.execute("update notes set word = 'new' where id = 5");
        ListedFeed next = new ListedFeed();
        try (Snapshot snapshot =
                Snapshot.of(database).table(notes).file(file).follow(next).load()) {
            assertThat(next.started).containsExactly("[NOTES] 42");
            assertThat(snapshot.isFromFile()).isTrue();
            next.tell("NOTES", 5);
            snapshot.refresh();
            assertThat(snapshot.isFromFile()).isFalse();
            requireSame(snapshot, notes);
        }
    }

    @Test
    void start_fromAFileThatTheFeedCantGoOnFrom_loadsAll() throws Exception {
        Path file = directory.resolve("notes.penstock");
        try (Snapshot snapshot =
                Snapshot.of(database).table(notes).file(file).follow(feed).load()) {
            snapshot.save();
        }
        server.execute("update notes set word = 'new' where id = 5");
        ListedFeed next = new ListedFeed();
        next.goesOn = false;
        try (Snapshot snapshot =
                Snapshot.of(database).table(notes).file(file).follow(next).load()) {
            assertThat(snapshot.isFromFile()).isFalse();
            requireSame(snapshot, notes);
        }
    }

    @Test
    void start_fromAFileWithoutAPosition_loadsAll() throws Exception {
        Path file = directory.resolve("notes.penstock");
        try (Snapshot snapshot = Snapshot.of(database).table(notes).file(file).load()) {
            snapshot.save();
        }
        try (Snapshot snapshot =
                Snapshot.of(database).table(notes).file(file).follow(feed).load()) {
            assertThat(feed.started).containsExactly("[NOTES] null");
            assertThat(snapshot.isFromFile()).isFalse();
        }
    }

    @Test
    void load_ofAnIncrementalTable_isRefusedAndClosesTheFeed() {
        Snapshot.Builder builder =
                Snapshot.of(database).incremental(notes, "id", false).follow(feed);
        assertThatThrownBy(builder::load)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "table NOTES is incremental by column ID, and changes are followed, which tell more: choose"
                                + " the table by table(\u2026)");
        assertThat(feed.closed).isTrue();
    }

    @Test
    void refreshOnChanges_toldOfOne_refreshes() throws Exception {
        try (Snapshot snapshot = following()) {
            server.execute("update notes set word = 'new' where id = 5");
            feed.tell("NOTES", 5);
            try (ScheduledRefresh _ = snapshot.refreshOnChanges(Duration.ofMillis(1))) {
                while (!"new".equals(word(snapshot, notes, 5))) {
                    Thread.onSpinWait();
                }
            }
        }
    }

    @Test
    void refreshOnChanges_withoutAFeed_isRefused() {
        try (Snapshot snapshot = Snapshot.of(database).table(notes).load()) {
            assertThatThrownBy(() -> snapshot.refreshOnChanges(Duration.ofSeconds(1)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("give its settings a feed by follow(\u2026)");
        }
    }
}
