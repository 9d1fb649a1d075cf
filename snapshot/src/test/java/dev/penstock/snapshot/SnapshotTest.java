package dev.penstock.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.Cursor;
import dev.penstock.query.Engine;
import dev.penstock.query.Plan;
import dev.penstock.query.Predicate;
import dev.penstock.query.Predicate.Comparator;
import dev.penstock.query.QueryException;
import dev.penstock.query.Table;
import dev.penstock.query.sql.Database;
import dev.penstock.query.typed.TypedTable;
import dev.penstock.snapshot.TableStatistics.ColumnStatistics;
import dev.penstock.snapshot.TableStatistics.IndexStatistics;
import dev.penstock.snapshot.TableStatistics.Storage;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A snapshot answers from memory, as its tables were at one moment, and is brought up to date. */
class SnapshotTest {
    private static long count(Engine engine, Database database) {
        Plan plan = Plan.of(database.table("films")).count();
        try (Cursor cursor = engine.open(plan)) {
            assertThat(cursor.next()).isTrue();
            return cursor.getLong(0);
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void load_thenChanges_answersAsItWas(Kind kind) {
        try (TestDatabase server = Film.database(kind, 100)) {
            Database database = Database.connect(server.dataSource());
            try (Snapshot snapshot = Snapshot.load(database, Film.TABLE)) {
                server.execute("delete from films", "insert into actors values (2, 'NICK')");
                TypedTable<Film> films = snapshot.table(Film.TABLE);
                assertThat(films.stream().filter(Film.LENGTH.greaterThan(100)).count())
                        .isPositive();
                assertThat(films.stream().count()).isEqualTo(100);
                Plan actors = Plan.of(database.table("actors"));
                try (Cursor cursor = snapshot.engine().open(actors)) {
                    assertThat(cursor.next()).isTrue();
                    assertThat(cursor.next()).isTrue();
                }
                assertThat(snapshot.version().number()).isEqualTo(1);
                assertThat(snapshot.version().rows()).isEqualTo(100);
            }
        }
    }

    @Test
    void refresh_afterChanges_showsThemInANewVersionOnly() {
        try (TestDatabase server = Film.database(Kind.H2, 10)) {
            Database database = Database.connect(server.dataSource());
            try (Snapshot snapshot = Snapshot.of(database).table(Film.TABLE).keep(2).load()) {
                Engine first = snapshot.at(1);
                server.execute("delete from films where id > 7");
                assertThat(snapshot.refresh().number()).isEqualTo(2);
                assertThat(count(snapshot.engine(), database)).isEqualTo(7);
                assertThat(count(first, database)).isEqualTo(10);
                snapshot.refresh();
                assertThat(snapshot.versions()).extracting(Version::number).containsExactly(3L, 2L);
                assertThat(count(first, database)).isEqualTo(10);
                assertThatThrownBy(() -> snapshot.at(1))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageStartingWith("version 1 is not kept; those are: [3, 2]");
            }
        }
    }

    @Test
    void refresh_thatFails_saysSoAndLeavesTheOldVersion() {
        try (TestDatabase server = Film.database(Kind.H2, 10)) {
            Database database = Database.connect(server.dataSource());
            try (Snapshot snapshot = Snapshot.load(database, Film.TABLE)) {
                server.execute("drop table films");
                assertThatThrownBy(snapshot::refresh)
                        .isInstanceOf(QueryException.class)
                        .hasMessageStartingWith("loading table FILMS into memory failed: ");
                assertThat(count(snapshot.engine(), database)).isEqualTo(10);
                assertThat(snapshot.version().number()).isEqualTo(1);
            }
        }
    }

    @Test
    void load_beyondTheMemoryLimit_failsWithNothingKept() {
        try (TestDatabase server = Film.database(Kind.H2, 5_000)) {
            Database database = Database.connect(server.dataSource());
            Snapshot.Builder builder =
                    Snapshot.of(database).table(Film.TABLE).memory(100_000).connections(1);
            assertThatThrownBy(builder::load)
                    .isInstanceOfSatisfying(
                            QueryException.class,
                            e -> assertThat(e.kind()).isEqualTo(QueryException.Kind.MEMORY_LIMIT))
                    .hasMessageContaining("its limit is 100,000");
        }
    }

    @Test
    void refresh_beyondTheMemoryLimit_leavesTheOldVersion() {
        try (TestDatabase server = Film.database(Kind.H2, 2_000)) {
            Database database = Database.connect(server.dataSource());
            try (Snapshot snapshot =
                    Snapshot.of(database).table(Film.TABLE).memory(2_000_000).load()) {
                Film.insert(server, 10_001, 40_000);
                assertThatThrownBy(snapshot::refresh)
                        .isInstanceOfSatisfying(
                                QueryException.class,
                                e ->
                                        assertThat(e.kind())
                                                .isEqualTo(QueryException.Kind.MEMORY_LIMIT));
                assertThat(count(snapshot.engine(), database)).isEqualTo(2_000);
                server.execute("delete from films where id > 2000");
                assertThat(snapshot.refresh().rows()).isEqualTo(2_000);
            }
        }
    }

    @Test
    void close_thenUse_isAnErrorButOpenCursorsReadOn() {
        try (TestDatabase server = Film.database(Kind.H2, 100)) {
            Database database = Database.connect(server.dataSource());
            Snapshot snapshot = Snapshot.load(database, Film.TABLE);
            try (Cursor cursor = snapshot.engine().open(Plan.of(database.table("films")))) {
                assertThat(cursor.next()).isTrue();
                snapshot.close();
                snapshot.close();
                System.gc();
                int rows = 1;
                while (cursor.next()) {
                    assertThat(cursor.getString(1)).startsWith("A thoughtful tale");
                    rows++;
                }
                assertThat(rows).isEqualTo(100);
            }
            for (Runnable use :
                    List.<Runnable>of(
                            snapshot::version,
                            snapshot::versions,
                            snapshot::refresh,
                            snapshot::statistics,
                            () -> count(snapshot.engine(), database),
                            () -> snapshot.table(Film.TABLE))) {
                assertThatThrownBy(use::run)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessage("the snapshot is closed");
            }
        }
    }

    @Test
    void memory_ofVersionsThatNobodyReaches_isFreeAfterACollection() {
        try (TestDatabase server = Film.database(Kind.H2, 20_000)) {
            Database database = Database.connect(server.dataSource());
            try (Snapshot snapshot = Snapshot.load(database, Film.TABLE)) {
                for (int i = 0; i < 4; i++) {
                    snapshot.refresh();
                }
                // A thread that has loaded a part may hold it for a moment longer.
                long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
                do {
                    System.gc();
                    Thread.onSpinWait();
                } while (snapshot.memoryUsed() > snapshot.version().bytes()
                        && System.nanoTime() < deadline);
                assertThat(snapshot.memoryUsed()).isEqualTo(snapshot.version().bytes());
                assertThat(count(snapshot.engine(), database)).isEqualTo(20_000);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"POSTGRESQL", "MARIADB"})
    void load_overSeveralConnectionsWhileRowsMove_seesOneMoment(Kind kind) throws Exception {
        try (TestDatabase server = Film.database(kind, 60_000)) {
            Database database = Database.connect(server.dataSource());
            server.execute("update films set changed = 0 where id > 0");
            Thread mover =
                    Thread.ofPlatform()
                            .start(() -> {
                                while (!Thread.currentThread().isInterrupted()) {
                                    // What is added at one end is taken from the other.
                                    server.execute(
                                            "update films set changed = case when id = 1 then"
                                                    + " changed + 1 else changed - 1 end"
                                                    + " where id in (1, 60000)");
                                }
                            });
            try (Snapshot snapshot =
                    Snapshot.of(database).table(Film.TABLE).connections(3).load()) {
                for (int i = 0; i < 3; i++) {
                    List<Film> moved =
                            snapshot.table(Film.TABLE).stream()
                                    .filter(Film.ID.in(1, 60_000))
                                    .toList();
                    assertThat(moved).hasSize(2);
                    assertThat(moved.stream().mapToLong(Film::changed).sum()).isZero();
                    assertThat(count(snapshot.engine(), database)).isEqualTo(60_000);
                    snapshot.refresh();
                }
            } finally {
                mover.interrupt();
                mover.join();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void refresh_ofAnIncrementalTable_readsWhatChanged(Kind kind) {
        try (TestDatabase server = Film.database(kind, 1_000)) {
            Database database = Database.connect(server.dataSource());
            List<Progress> told = new CopyOnWriteArrayList<>();
            try (Snapshot snapshot =
                    Snapshot.of(database)
                            .incremental(Film.TABLE, Film.CHANGED, false)
                            .progress(told::add)
                            .load()) {
                server.execute(
                        "delete from films where id = 5",
                        "update films set title = 'new', changed = 2000 where id = 7",
                        "insert into films values (0, 'first', null, 2001)");
                told.clear();
                assertThat(snapshot.refresh().rows()).isEqualTo(1_001);
                assertThat(told.getLast().rows()).isEqualTo(3);
                TypedTable<Film> films = snapshot.table(Film.TABLE);
                assertThat(films.find(Film.ID.equal(7)).orElseThrow().title()).isEqualTo("new");
                assertThat(films.find(Film.ID.equal(0)).orElseThrow().title()).isEqualTo("first");
                assertThat(films.find(Film.ID.equal(5))).isPresent();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void refresh_ofAnIncrementalTableWithDeletes_findsRowsThatAreGone(Kind kind) {
        try (TestDatabase server = Film.database(kind, 1_000)) {
            Database database = Database.connect(server.dataSource());
            try (Snapshot snapshot =
                    Snapshot.of(database).incremental(Film.TABLE, Film.CHANGED, true).load()) {
                server.execute(
                        "delete from films where id in (1, 500, 1000)",
                        "update films set length = 1, changed = 2000 where id = 7");
                assertThat(snapshot.refresh().rows()).isEqualTo(997);
                List<Film> fromMemory =
                        snapshot.table(Film.TABLE).stream().sorted(Film.ID).toList();
                List<Film> fromDatabase =
                        database.table(Film.TABLE).stream().sorted(Film.ID).toList();
                assertThat(fromMemory).isEqualTo(fromDatabase);
                server.execute("delete from films");
                assertThat(snapshot.refresh().rows()).isZero();
            }
        }
    }

    @Test
    void refresh_ofAnIncrementalTableWithRowsThatTheColumnDoesNotTellOf_readsItAll() {
        try (TestDatabase server = Film.database(Kind.H2, 100)) {
            Database database = Database.connect(server.dataSource());
            try (Snapshot snapshot =
                    Snapshot.of(database).incremental(Film.TABLE, Film.CHANGED, true).load()) {
                server.execute(
                        "insert into films values (500, 'late', 1, 3)",
                        "update films set id = 600 where id = 7");
                assertThat(snapshot.refresh().rows()).isEqualTo(101);
                TypedTable<Film> films = snapshot.table(Film.TABLE);
                assertThat(films.find(Film.ID.equal(500)).orElseThrow().title()).isEqualTo("late");
                assertThat(films.find(Film.ID.equal(600))).isPresent();
                assertThat(films.find(Film.ID.equal(7))).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void refresh_ofAnIncrementalTable_hasTheIndexesOfTheVersionBefore(boolean deletes) {
        try (TestDatabase server = Film.database(Kind.H2, 10_000)) {
            Database database = Database.connect(server.dataSource());
            try (Snapshot snapshot =
                    Snapshot.of(database).incremental(Film.TABLE, Film.CHANGED, deletes).load()) {
                TypedTable<Film> films = snapshot.table(Film.TABLE);
                assertThat(films.stream().sorted(Film.LENGTH).limit(3).toList()).hasSize(3);
                List<IndexStatistics> indexes = snapshot.statistics().getFirst().indexes();
                assertThat(indexes).isNotEmpty();
                assertThat(snapshot.refresh().number()).isEqualTo(2);
                assertThat(snapshot.statistics().getFirst().indexes()).isEqualTo(indexes);
                server.execute("update films set length = 7777 where id = 10000");
                snapshot.refresh();
                assertThat(films.find(Film.ID.equal(10_000)).orElseThrow().length())
                        .isEqualTo(7777);
                assertThat(snapshot.statistics().getFirst().indexes()).isEqualTo(indexes);
                assertThat(
                                films.stream()
                                        .filter(Film.LENGTH.isNotNull())
                                        .sorted(Film.LENGTH.reversed())
                                        .limit(1)
                                        .map(Film.ID)
                                        .toList())
                        .containsExactly(10_000);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "POSTGRESQL, timestamp, infinity, 2026-01-01, 2026-02-01",
        "POSTGRESQL, date, infinity, 2026-01-01, 2026-02-01",
        "POSTGRESQL, numeric, NaN, 1.5, 2",
        "MARIADB, datetime, 0000-00-00 00:00:00, 2026-01-01, 2026-02-01"
    })
    void refresh_ofAnIncrementalTableWithNothingToGoOnFrom_readsItAll(
            Kind kind, String type, String odd, String before, String after) {
        try (TestDatabase server = TestDatabase.create(kind)) {
            server.execute(
                    kind == Kind.MARIADB ? "set sql_mode = 'ALLOW_INVALID_DATES'" : "select 1",
                    "create table events (id int primary key, seen %s not null, name varchar(9))"
                            .formatted(type),
                    "insert into events values (1, '%s', 'odd'), (2, '%s', 'old')"
                            .formatted(odd, before));
            Database database = Database.connect(server.dataSource());
            Table events = database.table("events");
            try (Snapshot snapshot =
                    Snapshot.of(database).incremental(events, "seen", true).load()) {
                server.execute(
                        "update events set name = 'new', seen = '%s' where id = 2"
                                .formatted(after));
                assertThat(snapshot.refresh().rows()).isEqualTo(2);
                Plan names =
                        Plan.of(events)
                                .where(new Predicate.Comparison("id", Comparator.EQUAL, 2))
                                .select(List.of(new Plan.Item("name", "name")));
                try (Cursor cursor = snapshot.engine().open(names)) {
                    assertThat(cursor.next()).isTrue();
                    assertThat(cursor.getString(0)).isEqualTo("new");
                }
            }
        }
    }

    @Test
    void incremental_withoutWhatItNeeds_isRefused() {
        try (TestDatabase server = Film.database(Kind.H2, 1)) {
            server.execute("create table keyless (n int)");
            Database database = Database.connect(server.dataSource());
            Snapshot.Builder builder = Snapshot.of(database);
            Table keyless = database.table("keyless");
            assertThatThrownBy(() -> builder.incremental(keyless, "n", false))
                    .hasMessageStartingWith("table KEYLESS has no key by which changed rows");
            assertThatThrownBy(() -> builder.incremental(Film.TABLE, Film.TITLE, false))
                    .hasMessageStartingWith("column TITLE of table FILMS is TEXT; what grows");
        }
    }

    @Test
    void statistics_ofATable_tellWhatItsColumnsTake() {
        try (TestDatabase server = Film.database(Kind.H2, 1_000)) {
            Database database = Database.connect(server.dataSource());
            try (Snapshot snapshot = Snapshot.load(database, Film.TABLE)) {
                TableStatistics films = snapshot.statistics().getFirst();
                assertThat(films.rows()).isEqualTo(1_000);
                ColumnStatistics id = films.columns().getFirst();
                assertThat(id.width()).isEqualTo(2);
                // And room for the eight bytes that the last number is read with.
                assertThat(id.bytes()).isEqualTo(2_008);
                assertThat(id.distinct()).isEqualTo(1_000);
                ColumnStatistics title = films.columns().get(1);
                assertThat(title.storage()).isEqualTo(Storage.LIST);
                ColumnStatistics length = films.columns().get(2);
                assertThat(length.width()).isEqualTo(1);
                assertThat(length.nulls()).isEqualTo(100);
                long lengths =
                        database.table(Film.TABLE).stream()
                                .map(Film::length)
                                .filter(java.util.Objects::nonNull)
                                .distinct()
                                .count();
                assertThat(length.distinct()).isEqualTo(lengths);
                assertThat(length.indexBytes()).isZero();
                TypedTable<Film> table = snapshot.table(Film.TABLE);
                assertThat(table.stream().filter(Film.LENGTH.greaterThan(100)).count())
                        .isPositive();
                ColumnStatistics indexed = snapshot.statistics().getFirst().columns().get(2);
                assertThat(indexed.indexBytes()).isPositive();
                assertThat(indexed.distinct()).isEqualTo(lengths);
                assertThat(films.bytes())
                        .isEqualTo(
                                films.columns().stream().mapToLong(ColumnStatistics::bytes).sum());
            }
        }
    }

    @Test
    void engine_withOthers_asksThemForWhatIsNotInMemory() {
        try (TestDatabase server = Film.database(Kind.H2, 10)) {
            Database database = Database.connect(server.dataSource());
            AtomicInteger taken = new AtomicInteger();
            Database counted = database.over(counting(server.dataSource(), taken), null);
            try (Snapshot snapshot = Snapshot.load(database, Film.TABLE)) {
                Engine engine = snapshot.engine(counted);
                assertThat(count(engine, database)).isEqualTo(10);
                assertThat(taken).hasValue(0);
                try (Cursor actors = engine.open(Plan.of(database.table("actors")))) {
                    assertThat(actors.next()).isTrue();
                }
                assertThat(taken).hasValue(1);
            }
        }
    }

    private static DataSource counting(DataSource source, AtomicInteger taken) {
        return (DataSource)
                Proxy.newProxyInstance(
                        DataSource.class.getClassLoader(),
                        new Class<?>[] {DataSource.class},
                        (_, method, arguments) -> {
                            taken.incrementAndGet();
                            return method.invoke(source, arguments);
                        });
    }

    @Test
    void progress_ofALoading_endsWithEachTableComplete() {
        try (TestDatabase server = Film.database(Kind.H2, 1_000)) {
            Database database = Database.connect(server.dataSource());
            List<Progress> told = new CopyOnWriteArrayList<>();
            try (Snapshot snapshot =
                    Snapshot.of(database)
                            .table(Film.TABLE)
                            .table(database.table("actors"))
                            .progress(told::add)
                            .load()) {
                assertThat(snapshot.version().rows()).isEqualTo(1_001);
            }
            assertThat(told.stream().filter(Progress::done))
                    .extracting(Progress::table, Progress::rows)
                    .containsExactly(
                            org.assertj.core.groups.Tuple.tuple("FILMS", 1_000L),
                            org.assertj.core.groups.Tuple.tuple("ACTORS", 1L));
        }
    }

    @Test
    void settings_ofNoMeaning_areRefused() {
        try (TestDatabase server = Film.database(Kind.H2, 1)) {
            Snapshot.Builder builder = Snapshot.of(Database.connect(server.dataSource()));
            assertThatThrownBy(() -> builder.memory(0)).hasMessage("memory of 0 bytes");
            assertThatThrownBy(() -> builder.connections(0)).hasMessage("0 connections");
            assertThatThrownBy(() -> builder.keep(0)).hasMessage("0 versions to keep");
            assertThatThrownBy(() -> builder.rate(-1)).hasMessage("a rate of -1 rows a second");
        }
    }
}
