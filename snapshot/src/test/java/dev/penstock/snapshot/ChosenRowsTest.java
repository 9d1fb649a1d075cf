package dev.penstock.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.Plan;
import dev.penstock.query.QueryException;
import dev.penstock.query.sql.Database;
import dev.penstock.query.typed.TypedTable;
import dev.penstock.query.typed.field.Condition;
import dev.penstock.query.typed.field.Entity;
import dev.penstock.query.typed.field.IntField;
import dev.penstock.query.typed.field.TableSelection;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables of which some rows and columns are in memory. */
class ChosenRowsTest {
    private static final TableSelection<Film> LONG_FILMS =
            Film.TABLE.where(Film.LENGTH.greaterThan(100)).columns(Film.LENGTH);

    private static List<String> heldColumns(Snapshot snapshot) {
        return snapshot.statistics().getFirst().columns().stream()
                .map(column -> column.name().toLowerCase(Locale.ROOT))
                .toList();
    }

    private static void requireRefused(Supplier<?> query, String... parts) {
        assertThatThrownBy(query::get)
                .isInstanceOf(QueryException.class)
                .hasMessageContainingAll(parts);
    }

    @Test
    void load_rowsAndColumns_answersWhatTheyAreEnoughFor() {
        try (TestDatabase server = Film.database(Kind.H2, 300)) {
            Database database = Database.connect(server.dataSource());
            long all =
                    database.table(Film.TABLE).stream()
                            .filter(Film.LENGTH.greaterThan(120))
                            .count();
            try (Snapshot snapshot = Snapshot.load(database, LONG_FILMS)) {
                assertThat(heldColumns(snapshot)).containsExactly("id", "length");
                TypedTable<Film> films = snapshot.table(Film.TABLE);
                server.execute("delete from films");
                assertThat(films.stream().filter(Film.LENGTH.greaterThan(120)).count())
                        .isEqualTo(all);
                assertThat(films.stream().filter(Film.LENGTH.equal(131)).mapToInt(Film.ID).min())
                        .hasValue(91);
                assertThat(films.stream().filter(Film.LENGTH.greaterThan(100)).limit(5).count())
                        .isEqualTo(5);
                // From here on the database is asked, which has no film any more.
                assertThat(films.stream().count()).isZero();
                assertThat(films.stream().filter(Film.ID.equal(91)).map(Film.LENGTH).findFirst())
                        .isEmpty();
                assertThat(films.stream().filter(Film.LENGTH.greaterThan(99)).count()).isZero();
                assertThat(films.stream().filter(Film.LENGTH.greaterThan(120)).toList()).isEmpty();
                assertThat(films.stream().mapToInt(Film.ID).min()).isEmpty();
            }
        }
    }

    @Test
    void explain_ofWhatIsNotInMemory_saysWhoAnswersAndWhy() {
        try (TestDatabase server = Film.database(Kind.H2, 20)) {
            Database database = Database.connect(server.dataSource());
            try (Snapshot snapshot = Snapshot.load(database, LONG_FILMS)) {
                TypedTable<Film> films = snapshot.table(Film.TABLE);
                assertThat(films.explain(s -> s.filter(Film.LENGTH.between(110, 120)).count()))
                        .contains("engine: memory")
                        .doesNotContain("SQL:");
                assertThat(
                                films.explain(
                                        films.stream()
                                                .filter(Film.LENGTH.greaterThan(100))
                                                .sorted(Film.TITLE)
                                                .map(Film.ID)))
                        .contains("SQL: ")
                        .contains(
                                "note: not from memory: column TITLE of table FILMS is not in memory\n");
                assertThat(films.explain(films.stream().map(Film.ID)))
                        .contains("SQL: ")
                        .contains("not from memory: of table FILMS, rows were chosen by LENGTH");
            }
        }
    }

    @Test
    void memoryOnly_whatIsNotThere_isRefusedByNameWithTheRemedy() {
        try (TestDatabase server = Film.database(Kind.H2, 300)) {
            Database database = Database.connect(server.dataSource());
            try (Snapshot snapshot = Snapshot.of(database).table(LONG_FILMS).memoryOnly().load()) {
                for (TypedTable<Film> films :
                        List.of(
                                snapshot.table(Film.TABLE),
                                snapshot.pin().table(Film.TABLE),
                                TypedTable.of(snapshot.at(1), Film.TABLE))) {
                    assertThat(films.stream().filter(Film.LENGTH.in(111, 121)).count())
                            .isPositive();
                    requireRefused(
                            () -> films.stream().filter(Film.LENGTH.greaterThan(110)).toList(),
                            "columns TITLE, CHANGED of table FILMS are not in memory: load them too");
                    requireRefused(
                            () ->
                                    films.stream()
                                            .filter(Film.LENGTH.equal(111))
                                            .filter(Film.CHANGED.greaterThan(3L))
                                            .count(),
                            "column CHANGED of table FILMS is not in memory");
                    requireRefused(
                            () -> films.stream().count(),
                            "rows were chosen by LENGTH",
                            "load all rows");
                    requireRefused(
                            () -> films.stream().filter(Film.ID.equal(91)).count(),
                            "rows were chosen by LENGTH");
                    assertThat(films.explain(films.stream().map(Film.ID)))
                            .contains("refused: of table FILMS, rows were chosen by LENGTH");
                }
                requireRefused(
                        () -> snapshot.engine().open(Plan.of(database.table("actors"))),
                        "\"ACTORS\" is not in memory");
                TypedTable<Film> shared = TypedTable.of(snapshot.engine(database), Film.TABLE);
                assertThat(shared.stream().count()).isEqualTo(300);
            }
        }
    }

    /** The condition's column is loaded though it is not named, so that filters can say what they want. */
    @Test
    void load_columnsWithoutThatOfTheCondition_answersFiltersOfIt() {
        try (TestDatabase server = Film.database(Kind.H2, 300)) {
            Database database = Database.connect(server.dataSource());
            try (Snapshot snapshot =
                    Snapshot.of(database)
                            .table(
                                    Film.TABLE
                                            .where(Film.LENGTH.greaterThan(100))
                                            .columns(Film.TITLE))
                            .memoryOnly()
                            .load()) {
                TypedTable<Film> films = snapshot.table(Film.TABLE);
                assertThat(
                                films.stream()
                                        .filter(Film.LENGTH.between(110, 112))
                                        .map(Film.TITLE)
                                        .count())
                        .isPositive();
                assertThat(films.explain(stream -> stream.count()))
                        .contains("engine: memory", "refused: of table FILMS");
            }
        }
    }

    /** A row of a table with two columns whose names differ in case alone. */
    record Twins(int id, int upper, int lower) {
        static final IntField<Twins> ID = IntField.of(Twins.class, "ID", Twins::id);
        static final IntField<Twins> UPPER = IntField.of(Twins.class, "Code", Twins::upper);
        static final IntField<Twins> LOWER = IntField.of(Twins.class, "code", Twins::lower);
        static final Entity<Twins> TABLE =
                Entity.of(
                        Twins.class,
                        "twins",
                        row -> new Twins(row.getInt(0), row.getInt(1), row.getInt(2)),
                        List.of(ID, UPPER, LOWER),
                        List.of(ID));
    }

    @Test
    void column_whoseTwinInAnotherCaseIsLoaded_isNotTakenForIt() {
        try (TestDatabase server = Film.database(Kind.H2, 1)) {
            server.execute(
                    "create table twins (id int primary key, \"Code\" int not null, \"code\" int not null)",
                    "insert into twins values (1, 5, 6), (2, 5, 7)");
            Database database = Database.connect(server.dataSource());
            try (Snapshot snapshot = Snapshot.load(database, Twins.TABLE.columns(Twins.UPPER))) {
                TypedTable<Twins> twins = snapshot.table(Twins.TABLE);
                assertThat(twins.stream().filter(Twins.UPPER.equal(5)).count()).isEqualTo(2);
                assertThat(twins.stream().filter(Twins.LOWER.equal(5)).count()).isZero();
                assertThat(twins.stream().mapToInt(Twins.LOWER).max()).hasValue(7);
                assertThat(twins.stream().filter(Twins.ID.equal(2)).findFirst())
                        .contains(new Twins(2, 5, 7));
            }
        }
    }

    /** Which rows belong to the choice is known by the database alone. */
    @ParameterizedTest
    @ValueSource(strings = {"whole", "deletes", "grows"})
    void refresh_rowsThatChange_comeAndGo(String way) {
        try (TestDatabase server = Film.database(Kind.H2, 300)) {
            Database database = Database.connect(server.dataSource());
            Snapshot.Builder builder = Snapshot.of(database).memoryOnly();
            TableSelection<Film> chosen =
                    Film.TABLE.where(Film.TITLE.isNull()).columns(Film.LENGTH);
            server.execute("update films set title = null where id between 11 and 20");
            try (Snapshot snapshot =
                    (way.equals("whole")
                                    ? builder.table(chosen)
                                    : builder.incremental(
                                            chosen, Film.CHANGED, way.equals("deletes")))
                            .load()) {
                assertThat(snapshot.version().rows()).isEqualTo(10);
                server.execute(
                        "update films set title = 'x', changed = 1001 where id = 12",
                        "update films set title = null, changed = 1002 where id in (1, 200)",
                        "update films set length = 7, changed = 1003 where id = 15",
                        "insert into films values (900, null, 5, 1004), (901, 'y', 5, 1005)");
                assertThat(snapshot.refresh().rows()).isEqualTo(12);
                server.execute("update films set title = 'z', changed = 1006 where title is null");
                assertThat(snapshot.refresh().rows()).isZero();
                server.execute("update films set title = null, changed = 1007 where id <= 250");
                assertThat(snapshot.refresh().rows()).isEqualTo(250);
                server.execute("update films set title = 'a', changed = 1008 where id = 3");
                assertThat(snapshot.refresh().rows()).isEqualTo(249);
            }
        }
    }

    @Test
    void selection_thatMakesNoSense_isRefused() {
        assertThatThrownBy(() -> Film.TABLE.columns())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("no columns of table films are chosen; name one at least");
        try (TestDatabase server = Film.database(Kind.H2, 1)) {
            Database database = Database.connect(server.dataSource());
            assertThatThrownBy(() ->
                            Snapshot.load(database, Film.TABLE.where(Film.TITLE.matches("a+"))))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("rows of table FILMS can't be chosen by this condition");
            assertThatThrownBy(() ->
                            Snapshot.load(
                                    database,
                                    Film.TABLE.where(Film.ID.equal(1)),
                                    Film.TABLE.where(Film.ID.equal(2))))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("table FILMS is chosen twice");
            assertThatThrownBy(() ->
                            Snapshot.of(database).table(database.table("films"), List.of("titel")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("table FILMS has no column titel");
        }
    }

    @Test
    void streams_ofChosenRowsAndColumns_areRefusedOrAnswerAsAListOfAllDoes() {
        try (TestDatabase server = Film.database(Kind.H2, 300)) {
            Database database = Database.connect(server.dataSource());
            List<Film> all = database.table(Film.TABLE).stream().toList();
            int answered = 0;
            try (Snapshot snapshot = Snapshot.of(database).table(LONG_FILMS).memoryOnly().load()) {
                TypedTable<Film> films = snapshot.table(Film.TABLE);
                for (int length = 90; length < 195; length++) {
                    for (Condition<Film> condition : conditions(length)) {
                        List<Integer> expected =
                                all.stream().filter(condition).map(Film::id).sorted().toList();
                        try {
                            assertThat(
                                            films.stream()
                                                    .filter(condition)
                                                    .map(Film.ID)
                                                    .sorted()
                                                    .toList())
                                    .isEqualTo(expected);
                            assertThat(films.stream().filter(condition).count())
                                    .isEqualTo(expected.size());
                            answered++;
                        } catch (QueryException e) {
                            assertThat(e).hasMessageContaining("rows were chosen by LENGTH");
                            assertThat(length).isLessThanOrEqualTo(100);
                        }
                    }
                }
            }
            assertThat(answered).isEqualTo(4 * 94 + 1);
        }
    }

    private static List<Condition<Film>> conditions(int length) {
        return List.of(
                Film.LENGTH.equal(length),
                Film.LENGTH.greaterThan(length),
                Film.LENGTH.between(length, length + 3),
                Film.LENGTH.greaterOrEqual(length).and(Film.ID.lessThan(100)));
    }

    @Test
    void memory_ofChosenRowsAndColumns_isLess() {
        try (TestDatabase server = Film.database(Kind.H2, 20_000)) {
            Database database = Database.connect(server.dataSource());
            long whole = memory(database, Film.TABLE);
            long columns = memory(database, Film.TABLE.columns(Film.LENGTH));
            long rows = memory(database, LONG_FILMS);
            assertThat(columns).isLessThan(whole / 4);
            assertThat(rows).isBetween(columns / 2, columns * 3 / 4);
        }
    }

    private static long memory(Database database, TableSelection<?> chosen) {
        try (Snapshot snapshot = Snapshot.load(database, chosen)) {
            assertThat(snapshot.memoryUsed())
                    .isEqualTo(snapshot.statistics().getFirst().bytes())
                    .isEqualTo(snapshot.version().bytes());
            return snapshot.memoryUsed();
        }
    }
}
