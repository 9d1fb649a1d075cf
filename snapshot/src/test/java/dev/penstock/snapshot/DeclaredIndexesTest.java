package dev.penstock.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.QueryException;
import dev.penstock.query.sql.Database;
import dev.penstock.query.typed.TypedTable;
import dev.penstock.snapshot.TableStatistics.IndexKind;
import dev.penstock.snapshot.TableStatistics.IndexStatistics;
import dev.penstock.snapshot.index.IndexedTable;
import dev.penstock.snapshot.memory.Memory;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Indexes that each version of a table has from the beginning. */
class DeclaredIndexesTest {
    private static final int FILMS = 10_000;

    private static List<String> indexes(Snapshot snapshot) {
        return snapshot.statistics().getFirst().indexes().stream()
                .map(index -> index.kind() + " " + String.join(", ", index.columns()))
                .toList();
    }

    private static long indexBytes(Snapshot snapshot) {
        return snapshot.statistics().getFirst().indexes().stream()
                .mapToLong(IndexStatistics::bytes)
                .sum();
    }

    /** Changes one film in four hundred, or one in two. */
    private static void change(TestDatabase server, int version, boolean much) {
        server.execute(
                "update films set length = 300 + mod(id, 5), changed = %d where mod(id, %d) = 1"
                        .formatted(FILMS + version, much ? 2 : 400),
                "delete from films where id = " + version);
    }

    @ParameterizedTest
    @ValueSource(strings = {"whole", "few changes", "many changes"})
    void version_ofDeclaredIndexes_hasThemBeforeAnyQuery(String way) {
        try (TestDatabase server = Film.database(Kind.H2, FILMS)) {
            Database database = Database.connect(server.dataSource());
            Snapshot.Builder builder = Snapshot.of(database).memoryOnly();
            try (Snapshot snapshot =
                    (way.equals("whole")
                                    ? builder.table(Film.TABLE)
                                    : builder.incremental(Film.TABLE, Film.CHANGED, true))
                            .index(Film.TABLE, Film.LENGTH)
                            .load()) {
                List<String> declared = List.of("COUNTS LENGTH", "ORDER LENGTH");
                assertThat(indexes(snapshot)).isEqualTo(declared);
                TypedTable<Film> films = snapshot.table(Film.TABLE);
                for (int version = 1; version <= 3; version++) {
                    assertThat(
                                    films.explain(
                                            films.stream()
                                                    .filter(Film.LENGTH.between(100, 101))
                                                    .sorted(Film.LENGTH)))
                            .contains("index of column LENGTH")
                            .doesNotContain("built");
                    change(server, version, way.startsWith("many"));
                    long number = snapshot.refresh().number();
                    assertThat(indexes(snapshot)).as("version %d", number).isEqualTo(declared);
                    List<Film> all = database.table(Film.TABLE).stream().toList();
                    assertThat(
                                    films.stream()
                                            .filter(Film.LENGTH.between(300, 302))
                                            .map(Film.ID)
                                            .collect(Collectors.toSet()))
                            .isNotEmpty()
                            .isEqualTo(
                                    all.stream()
                                            .filter(Film.LENGTH.between(300, 302))
                                            .map(Film::id)
                                            .collect(Collectors.toSet()));
                }
            }
        }
    }

    @Test
    void index_ofSeveralFields_isOfTheirDifferentRows() {
        try (TestDatabase server = TestDatabase.create(Kind.H2)) {
            server.execute(
                    "create table notes (id int primary key, flag boolean, word varchar(9), n int)",
                    "insert into notes select x, mod(x, 3) = 0, 'word ' || mod(x, 7), x / 2"
                            + " from system_range(1, 6000)");
            Database database = Database.connect(server.dataSource());
            try (Snapshot snapshot =
                    Snapshot.of(database)
                            .table(database.table("notes"))
                            .index(database.table("notes"), List.of("word", "flag"))
                            .index(database.table("notes"), List.of("flag", "word"))
                            .load()) {
                assertThat(indexes(snapshot)).containsExactly("COMPOSITE FLAG, WORD");
                snapshot.refresh();
                assertThat(indexes(snapshot)).containsExactly("COMPOSITE FLAG, WORD");
            }
            // There are as many different rows of these as there are rows.
            try (Snapshot snapshot =
                    Snapshot.of(database)
                            .table(database.table("notes"))
                            .index(database.table("notes"), List.of("word", "n"))
                            .load()) {
                assertThat(indexes(snapshot)).isEmpty();
            }
        }
    }

    @Test
    void index_ofTextsKeptByThemselves_isTheirOrder() {
        try (TestDatabase server = Film.database(Kind.H2, 100)) {
            server.execute(
                    "insert into films select x, random_uuid() || repeat(' and another tale', 9), x, x"
                            + " from system_range(101, 30000)");
            Database database = Database.connect(server.dataSource());
            try (Snapshot snapshot =
                    Snapshot.of(database)
                            .table(Film.TABLE.columns(Film.TITLE))
                            .index(Film.TABLE, Film.TITLE)
                            .load()) {
                assertThat(indexes(snapshot)).containsExactly("TEXTS TITLE", "ORDER TITLE");
            }
        }
    }

    @Test
    void memory_ofDeclaredIndexes_isCounted() {
        try (TestDatabase server = Film.database(Kind.H2, FILMS)) {
            Database database = Database.connect(server.dataSource());
            try (Snapshot snapshot =
                    Snapshot.of(database)
                            .table(Film.TABLE)
                            .index(Film.TABLE, Film.LENGTH)
                            .index(Film.TABLE, Film.TITLE)
                            .load()) {
                assertThat(indexBytes(snapshot)).isGreaterThan(4L * FILMS);
                assertThat(snapshot.memoryUsed())
                        .isEqualTo(snapshot.version().bytes() + indexBytes(snapshot));
            }
        }
    }

    @Test
    void buildDeclared_withoutMemory_failsWithTheRemedy() {
        try (TestDatabase server = Film.database(Kind.H2, FILMS)) {
            Database database = Database.connect(server.dataSource());
            Memory memory = new Memory(Long.MAX_VALUE);
            IndexedTable films =
                    new IndexedTable(
                            InMemory.stored(database, database.table("films"), memory), memory);
            assertThatThrownBy(() ->
                            films.buildDeclared(
                                    Set.of(List.of("LENGTH"), List.of("TITLE")),
                                    null,
                                    null,
                                    new Memory(10_000)))
                    .isInstanceOfSatisfying(
                            QueryException.class,
                            e -> assertThat(e.kind()).isEqualTo(QueryException.Kind.MEMORY_LIMIT))
                    .hasMessageStartingWith(
                            "building the declared indexes of table FILMS failed: the snapshot has ")
                    .hasMessageEndingWith("keep fewer versions, or declare fewer indexes");
        }
    }

    @Test
    void refresh_withoutMemoryForADeclaredIndex_leavesTheVersionBefore() {
        try (TestDatabase server = Film.database(Kind.H2, FILMS)) {
            Database database = Database.connect(server.dataSource());
            long needed;
            try (Snapshot snapshot =
                    Snapshot.of(database)
                            .incremental(Film.TABLE, Film.CHANGED, false)
                            .index(Film.TABLE, Film.LENGTH)
                            .load()) {
                needed = snapshot.memoryUsed();
            }
            try (Snapshot snapshot =
                    Snapshot.of(database)
                            .incremental(Film.TABLE, Film.CHANGED, false)
                            .index(Film.TABLE, Film.LENGTH)
                            .memory(4 * needed)
                            .load()) {
                PinnedVersion first = snapshot.pin();
                Film.insert(server, FILMS + 1, 4 * FILMS);
                assertThatThrownBy(snapshot::refresh).isInstanceOf(QueryException.class);
                assertThat(snapshot.version()).isEqualTo(first.version());
                assertThat(indexes(snapshot)).containsExactly("COUNTS LENGTH", "ORDER LENGTH");
                assertThat(snapshot.table(Film.TABLE).stream().count()).isEqualTo(FILMS);
            }
        }
    }

    @Test
    void index_ofWhatIsNotLoaded_isRefused() {
        try (TestDatabase server = Film.database(Kind.H2, 1)) {
            Database database = Database.connect(server.dataSource());
            Snapshot.Builder builder = Snapshot.of(database).table(Film.TABLE.columns(Film.LENGTH));
            assertThatThrownBy(() -> builder.index(Film.TABLE, Film.TITLE))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(
                            "an index of table FILMS names column TITLE, which is not loaded: load it too");
            assertThatThrownBy(() -> builder.index(Film.TABLE))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("an index of table FILMS has no columns; name one at least");
            assertThatThrownBy(() -> builder.index(database.table("films"), List.of("titel")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("table FILMS has no column titel");
            assertThatThrownBy(() -> builder.index(database.table("actors"), List.of("name")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(
                            "an index of table ACTORS is declared, which is not chosen: choose the table first");
            try (Snapshot snapshot =
                    builder.index(Film.TABLE, Film.ID, Film.LENGTH)
                            .index(Film.TABLE, Film.LENGTH)
                            .load()) {
                assertThat(snapshot.statistics().getFirst().indexes())
                        .extracting(IndexStatistics::kind)
                        .containsOnly(IndexKind.COUNTS);
            }
        }
    }
}
