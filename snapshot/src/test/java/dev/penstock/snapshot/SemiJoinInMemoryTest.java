package dev.penstock.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.QueryException;
import dev.penstock.query.sql.Database;
import dev.penstock.query.typed.TypedTable;
import dev.penstock.query.typed.field.Condition;
import dev.penstock.query.typed.field.Entity;
import dev.penstock.query.typed.field.IntField;
import dev.penstock.query.typed.field.LongField;
import dev.penstock.query.typed.field.TableSelection;
import dev.penstock.query.typed.field.TextField;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Conditions on the values of another stream, of tables in memory. */
class SemiJoinInMemoryTest {
    /** A row that others refer to. */
    record Parent(int id, Integer size, String name) {
        static final IntField<Parent> ID = IntField.of(Parent.class, "id", Parent::id);
        static final IntField<Parent> SIZE = IntField.nullable(Parent.class, "size", Parent::size);
        static final TextField<Parent> NAME =
                TextField.nullable(Parent.class, "name", Parent::name);
        static final Entity<Parent> TABLE =
                Entity.of(
                        Parent.class,
                        "parent",
                        row ->
                                new Parent(
                                        row.getInt(0),
                                        row.isNull(1) ? null : row.getInt(1),
                                        row.getString(2)),
                        List.of(ID, SIZE, NAME),
                        List.of(ID));
    }

    /** A row that refers to a parent, or to none. */
    record Child(long id, Integer parent, String name) {
        static final LongField<Child> ID = LongField.of(Child.class, "id", Child::id);
        static final IntField<Child> PARENT =
                IntField.nullable(Child.class, "parent", Child::parent);
        static final TextField<Child> NAME = TextField.nullable(Child.class, "name", Child::name);
        static final Entity<Child> TABLE =
                Entity.of(
                        Child.class,
                        "child",
                        row ->
                                new Child(
                                        row.getLong(0),
                                        row.isNull(1) ? null : row.getInt(1),
                                        row.getString(2)),
                        List.of(ID, PARENT, NAME),
                        List.of(ID));
    }

    /** Every third parent has no children; every eighth child has no parent. */
    private static TestDatabase server(int parents, int children) {
        TestDatabase server = TestDatabase.create(Kind.H2);
        server.execute(
                "create table parent (id int primary key, size int, name varchar(90))",
                "create table child (id bigint primary key, parent int, name varchar(90))",
                "insert into parent select x, case when mod(x, 5) > 0 then mod(x, 97) end,"
                        + " case when mod(x, 7) > 0 then 'a name that is its own ' || x end"
                        + " from system_range(1, "
                        + parents
                        + ")",
                "insert into child select x, case when mod(x, 8) > 0 then mod(x * 3, "
                        + parents
                        + ") end, case when mod(x, 9) > 0 then 'a name that is its own ' || (x * 2) end"
                        + " from system_range(1, "
                        + children
                        + ")");
        return server;
    }

    private static final List<Function<TypedTable<Child>, Condition<Parent>>> CONDITIONS =
            List.of(
                    c -> Parent.ID.in(c.stream().map(Child.PARENT)),
                    c -> Parent.ID.notIn(c.stream().map(Child.PARENT)),
                    c -> Parent.ID.in(c.stream().filter(Child.ID.lessThan(9L)).map(Child.PARENT)),
                    c -> Parent.SIZE.in(c.stream().filter(Child.ID.equal(5L)).map(Child.PARENT)),
                    c -> Parent.SIZE.notIn(c.stream().limit(30).map(Child.PARENT)),
                    c -> Parent.SIZE.in(c.stream().limit(30).map(Child.PARENT)).negate(),
                    c -> Parent.NAME.in(c.stream().map(Child.NAME)),
                    c -> Parent.NAME.notIn(c.stream().map(Child.NAME)),
                    c ->
                            Parent.ID
                                    .in(c.stream().skip(11).limit(5).map(Child.PARENT))
                                    .or(Parent.SIZE.equal(3)),
                    c -> Parent.ID.in(c.stream().map(Child.PARENT)).and(Parent.SIZE.lessThan(50)));

    @ParameterizedTest
    @ValueSource(ints = {1, 64, 4095, 4096, 4097, 20_000})
    void in_valuesOfAStream_meansWhatItMeansInTheDatabase(int size) {
        try (TestDatabase server = server(size, size + 3)) {
            Database database = Database.connect(server.dataSource());
            try (Snapshot snapshot = Snapshot.load(database, Parent.TABLE, Child.TABLE)) {
                // Twice, for the second time there is an index.
                for (int round = 0; round < 2; round++) {
                    for (int i = 0; i < CONDITIONS.size(); i++) {
                        List<Parent> rows = database.table(Parent.TABLE).stream().toList();
                        Condition<Parent> ofLists =
                                CONDITIONS.get(i).apply(database.table(Child.TABLE));
                        List<Parent> expected = rows.stream().filter(ofLists).toList();
                        Condition<Parent> condition =
                                CONDITIONS.get(i).apply(snapshot.table(Child.TABLE));
                        Stream<Parent> stream = snapshot.table(Parent.TABLE).stream();
                        assertThat(stream.filter(condition).toList())
                                .as("condition %d", i)
                                .containsExactlyInAnyOrderElementsOf(expected);
                        assertThat(
                                        snapshot.table(Parent.TABLE).stream()
                                                .parallel()
                                                .filter(condition)
                                                .count())
                                .as("condition %d", i)
                                .isEqualTo(expected.size());
                    }
                }
            }
        }
    }

    @Test
    void in_aMillionValuesAlongAKey_findsWhatHasThem() {
        try (TestDatabase server = TestDatabase.create(Kind.H2)) {
            server.execute(
                    "create table parent (id int primary key, size int, name varchar(90))"
                            + " as select x, 2 * x, null from system_range(1, 1000000)");
            Database database = Database.connect(server.dataSource());
            try (Snapshot snapshot = Snapshot.load(database, Parent.TABLE)) {
                TypedTable<Parent> table = snapshot.table(Parent.TABLE);
                assertThat(
                                table.stream()
                                        .filter(Parent.ID.in(table.stream().map(Parent.SIZE)))
                                        .count())
                        .isEqualTo(500_000);
                assertThat(
                                table.stream()
                                        .filter(Parent.ID.notIn(table.stream().map(Parent.SIZE)))
                                        .filter(Parent.SIZE.greaterThan(7))
                                        .mapToInt(Parent.ID)
                                        .min())
                        .hasValue(5);
            }
        }
    }

    @Test
    void in_pinnedVersion_asksBothTablesOfThatVersion() {
        try (TestDatabase server = server(100, 100)) {
            Database database = Database.connect(server.dataSource());
            try (Snapshot snapshot = Snapshot.load(database, Parent.TABLE, Child.TABLE)) {
                PinnedVersion before = snapshot.pin();
                Function<TypedTable<Child>, Condition<Parent>> referred =
                        c -> Parent.ID.in(c.stream().map(Child.PARENT));
                Condition<Parent> newest = referred.apply(snapshot.table(Child.TABLE));
                Condition<Parent> pinned = referred.apply(before.table(Child.TABLE));
                long count = snapshot.table(Parent.TABLE).stream().filter(newest).count();
                server.execute("delete from child");
                snapshot.refresh();
                assertThat(snapshot.table(Parent.TABLE).stream().filter(newest).count()).isZero();
                assertThat(before.table(Parent.TABLE).stream().filter(pinned).count())
                        .isEqualTo(count)
                        .isPositive();
            }
        }
    }

    @Test
    void in_tableThatIsNotInMemory_isAskedOfTheDatabaseAsAWhole() {
        try (TestDatabase server = server(100, 100)) {
            Database database = Database.connect(server.dataSource());
            long expected =
                    database.table(Parent.TABLE).stream()
                            .filter(CONDITIONS.getFirst().apply(database.table(Child.TABLE)))
                            .count();
            try (Snapshot snapshot = Snapshot.load(database, Parent.TABLE)) {
                TypedTable<Parent> parents = snapshot.table(Parent.TABLE);
                Condition<Parent> condition =
                        CONDITIONS.getFirst().apply(snapshot.table(Child.TABLE));
                assertThat(parents.stream().filter(condition).count()).isEqualTo(expected);
                assertThat(parents.explain(parents.stream().filter(condition)))
                        .contains("SQL: ", " IN (SELECT ");
                // Of another engine the values are read first.
                Condition<Parent> mixed = CONDITIONS.getFirst().apply(database.table(Child.TABLE));
                assertThat(parents.stream().filter(mixed).count()).isEqualTo(expected);
                assertThat(parents.explain(s -> s.filter(mixed).count()))
                        .contains("engine: memory", "read first: ", "they are asked of H2");
            }
            try (Snapshot snapshot =
                    Snapshot.of(database).table(Parent.TABLE).memoryOnly().load()) {
                Condition<Parent> condition =
                        CONDITIONS.getFirst().apply(snapshot.table(Child.TABLE));
                assertThatThrownBy(() ->
                                snapshot.table(Parent.TABLE).stream().filter(condition).count())
                        .isInstanceOf(QueryException.class)
                        .hasMessageContaining("table \"CHILD\" is not in memory");
            }
        }
    }

    @Test
    void in_partOfATableInMemory_isAnsweredThereWhereItIsEnough() {
        try (TestDatabase server = server(100, 100)) {
            Database database = Database.connect(server.dataSource());
            TableSelection<Child> some =
                    Child.TABLE.where(Child.ID.lessThan(50L)).columns(Child.PARENT);
            try (Snapshot snapshot = Snapshot.load(database, Parent.TABLE, some);
                    Snapshot alone =
                            Snapshot.of(database)
                                    .table(Parent.TABLE)
                                    .table(some)
                                    .memoryOnly()
                                    .load()) {
                Function<TypedTable<Child>, Condition<Parent>> enough = CONDITIONS.get(2);
                long expected =
                        database.table(Parent.TABLE).stream()
                                .filter(enough.apply(database.table(Child.TABLE)))
                                .count();
                for (Snapshot each : List.of(snapshot, alone)) {
                    TypedTable<Parent> parents = each.table(Parent.TABLE);
                    assertThat(
                                    parents.explain(s ->
                                            s.filter(enough.apply(each.table(Child.TABLE)))
                                                    .count()))
                            .contains("engine: memory")
                            .doesNotContain("read first");
                    assertThat(
                                    parents.stream()
                                            .filter(enough.apply(each.table(Child.TABLE)))
                                            .count())
                            .isEqualTo(expected);
                }
                TypedTable<Parent> parents = snapshot.table(Parent.TABLE);
                Condition<Parent> more = CONDITIONS.getFirst().apply(snapshot.table(Child.TABLE));
                assertThat(parents.explain(parents.stream().filter(more)))
                        .contains(
                                "SQL: ",
                                "note: not from memory: of table CHILD, rows were chosen by ID");
                Condition<Parent> missing = CONDITIONS.getFirst().apply(alone.table(Child.TABLE));
                assertThatThrownBy(() -> alone.table(Parent.TABLE).stream().filter(missing).count())
                        .isInstanceOf(QueryException.class)
                        .hasMessageContaining("of table CHILD, rows were chosen by ID");
            }
        }
    }

    @Test
    void explain_tablesInMemory_tellsHowTheValuesAreFound() {
        try (TestDatabase server = server(5000, 5000)) {
            Database database = Database.connect(server.dataSource());
            try (Snapshot snapshot = Snapshot.load(database, Parent.TABLE, Child.TABLE)) {
                TypedTable<Parent> parents = snapshot.table(Parent.TABLE);
                assertThat(
                                parents.explain(
                                        parents.stream()
                                                .filter(
                                                        CONDITIONS
                                                                .get(2)
                                                                .apply(
                                                                        snapshot.table(
                                                                                Child.TABLE)))))
                        .isEqualTo(
                                """
                                plan: rows of PARENT where ID in (rows of CHILD where ID < ?: PARENT)
                                engine: memory
                                note: the values for ID: the index of column ID is read: 8 of 5,000 rows
                                note: a scan of 5,000 rows
                                note: where the values are few, an index finds the rows that have them
                                """);
            }
        }
    }

    @Test
    void where_valuesOfAStream_isRefused() {
        try (TestDatabase server = server(10, 10)) {
            Database database = Database.connect(server.dataSource());
            Condition<Parent> condition = CONDITIONS.getFirst().apply(database.table(Child.TABLE));
            assertThatThrownBy(() -> Snapshot.load(database, Parent.TABLE.where(condition)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(
                            "rows of table parent are chosen by the values of a stream for id; choose them by its own"
                                    + " columns, or by a list of values");
        }
    }
}
