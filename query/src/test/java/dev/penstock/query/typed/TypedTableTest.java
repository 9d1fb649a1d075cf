package dev.penstock.query.typed;

import static dev.penstock.query.typed.Thing.ACTIVE;
import static dev.penstock.query.typed.Thing.COLOR;
import static dev.penstock.query.typed.Thing.ID;
import static dev.penstock.query.typed.Thing.LENGTH;
import static dev.penstock.query.typed.Thing.NAME;
import static dev.penstock.query.typed.Thing.SIZE;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.QueryException;
import dev.penstock.query.sql.Database;
import dev.penstock.query.typed.field.BooleanField;
import dev.penstock.query.typed.field.CharField;
import dev.penstock.query.typed.field.Condition;
import dev.penstock.query.typed.field.Entity;
import dev.penstock.query.typed.field.EnumField;
import dev.penstock.query.typed.field.Field;
import dev.penstock.query.typed.field.IntField;
import dev.penstock.query.typed.field.TextField;
import dev.penstock.query.typed.stream.StreamExplainer;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Streams over a table of a database, and what of them becomes SQL. */
class TypedTableTest {
    private static final List<Thing> LIST = Things.some(60);
    private static TestDatabase server;
    private static TypedTable<Thing> things;

    @BeforeAll
    static void create() throws SQLException {
        server = TestDatabase.create(Kind.H2);
        Things.create(server, LIST);
        things = TypedTable.of(Database.connect(server.pooled()), Thing.TABLE);
    }

    @AfterAll
    static void drop() {
        server.close();
    }

    @Test
    void count_ofAFilter_isOneQueryThatCounts() {
        String told =
                things.explain((Stream<Thing> s) -> {
                    long n = s.filter(LENGTH.greaterThan(60)).count();
                    assertThat(n).isEqualTo(LIST.stream().filter(LENGTH.greaterThan(60)).count());
                    return n;
                });
        assertThat(told).contains("SELECT COUNT(*) FROM").contains("?").doesNotContain("JVM");
    }

    @Test
    void stream_sortedAndCut_readsTheColumnThatItNeeds() {
        Stream<Thing> sorted =
                things.stream().sorted(LENGTH.reversed().thenComparing(NAME)).skip(7).limit(5);
        String told =
                things.explain((Stream<Thing> s) ->
                        s.sorted(LENGTH.reversed().thenComparing(NAME))
                                .skip(7)
                                .limit(5)
                                .mapToInt(ID.asInt())
                                .toArray());
        assertThat(told).contains("SELECT t.\"ID\" FROM").doesNotContain("JVM");
        assertThat(sorted.map(ID).toList())
                .isEqualTo(
                        LIST.stream()
                                .sorted(LENGTH.reversed().thenComparing(NAME))
                                .skip(7)
                                .limit(5)
                                .map(ID)
                                .toList());
    }

    @Test
    void stream_withALambda_handsTheRestToTheJvm() {
        Stream<String> names =
                things.stream()
                        .filter(ACTIVE.isTrue().and(LENGTH.isNotNull()))
                        .sorted(ID)
                        .filter(t -> t.id() > 10)
                        .map(t -> t.id() + "!");
        assertThat(StreamExplainer.of(names))
                .contains("WHERE")
                .contains("in the JVM, because it is code or no operation on fields: filter, map");
        assertThat(names.toList())
                .isEqualTo(
                        LIST.stream()
                                .filter(ACTIVE.isTrue().and(LENGTH.isNotNull()))
                                .filter(t -> t.id() > 10)
                                .map(t -> t.id() + "!")
                                .toList());
    }

    @Test
    void rows_ofAllColumns_areThoseOfTheList() {
        assertThat(things.stream().sorted(ID).toList()).usingRecursiveComparison().isEqualTo(LIST);
        assertThat(things.find(ID.equal(7)).orElseThrow().size()).isEqualTo(7_000_000_049L);
        assertThat(things.find(ID.equal(70))).isEmpty();
    }

    @Test
    void enum_sortedAsDeclared_isSortedInTheJvm() {
        assertThat(things.stream().sorted(COLOR.thenComparing(ID)).map(ID).toList())
                .isEqualTo(LIST.stream().sorted(COLOR.thenComparing(ID)).map(ID).toList());
    }

    @Test
    void matches_ofConditions_areAsked() {
        assertThat(things.stream().anyMatch(LENGTH.greaterThan(98))).isTrue();
        assertThat(things.stream().anyMatch(LENGTH.greaterThan(100))).isFalse();
        assertThat(things.stream().allMatch(SIZE.greaterThan(0))).isTrue();
        assertThat(things.stream().noneMatch(LENGTH.isNull())).isFalse();
        assertThat(things.stream().min(NAME.thenComparing(ID)).map(ID))
                .isEqualTo(LIST.stream().min(NAME.thenComparing(ID)).map(ID));
        assertThat(things.stream().max(LENGTH.nullsFirst()).map(LENGTH))
                .isEqualTo(LIST.stream().max(LENGTH.nullsFirst()).map(LENGTH));
    }

    @Test
    void binding_toATableThatDoesNotFit_saysTableFieldCauseAndRemedy() {
        IntField<Thing> wrong = IntField.of(Thing.class, "name", Thing::id);
        assertThatThrownBy(() -> bind("thing", wrong))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Thing (table thing)")
                .hasMessageContaining("field Thing.name is a IntField")
                .hasMessageContaining("Generate the entity again");
        assertThatThrownBy(() -> bind("thing", IntField.of(Thing.class, "length", Thing::id)))
                .hasMessageContaining("never null");
        assertThatThrownBy(() -> bind("thing", IntField.of(Thing.class, "width", Thing::id)))
                .hasMessageContaining("no column width");
        assertThatThrownBy(() -> bind("thing2", ID)).hasMessageContaining("H2 has no such table");
    }

    private static Object bind(String table, Field<Thing, ?> field) {
        return TypedTable.of(
                things.engine(),
                Entity.of(Thing.class, table, _ -> LIST.getFirst(), List.of(field), List.of()));
    }

    @Test
    void stream_withAFieldOfAnotherTable_failsAtOnce() {
        IntField<Thing> other = IntField.of(Thing.class, "width", Thing::id);
        assertThatThrownBy(() -> things.stream().filter(other.equal(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("table thing")
                .hasMessageContaining("width");
        assertThatThrownBy(() -> things.stream().sorted(other))
                .hasMessageContaining("Thing.width, which is no field of its entity Thing");
        assertThatThrownBy(() -> things.stream().limit(-1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("limit(-1)");
    }

    /** A part of a thing, which several have in common. */
    private record Part(boolean active, char grade) {
        static final BooleanField<Part> ACTIVE =
                BooleanField.of(Part.class, "active", Part::active);
        static final CharField<Part> GRADE = CharField.of(Part.class, "grade", Part::grade);
        static final Entity<Part> TABLE =
                Entity.of(
                        Part.class,
                        "thing",
                        row -> new Part(row.getBoolean(0), row.getString(1).charAt(0)),
                        List.of(ACTIVE, GRADE),
                        List.of());
    }

    @Test
    void distinct_ofEntitiesWithoutTheKey_leavesEqualOnesOut() {
        Set<Part> expected =
                LIST.stream().map(t -> new Part(t.active(), t.grade())).collect(Collectors.toSet());
        TypedTable<Part> parts = TypedTable.of(things.engine(), Part.TABLE);
        assertThat(parts.stream().distinct().toList())
                .containsExactlyInAnyOrderElementsOf(expected)
                .hasSizeLessThan(LIST.size());
    }

    @Test
    void anyMatch_ofWhatOnlyTheJvmTests_narrowsWhatIsRead() {
        assertThat(
                        things.explain((Stream<Thing> s) -> {
                            assertThat(s.anyMatch(NAME.matches("name [12]"))).isTrue();
                            return true;
                        }))
                .contains("NAME starts with ?")
                .contains(
                        "in the JVM: filter\nbecause: filter: no database has regular expressions")
                .contains("\nbecause: anyMatch: no database has regular expressions")
                .contains("\nthe rows are read by: anyMatch\n")
                .doesNotContain("code");
        assertThat(things.stream().allMatch(NAME.isNull().or(NAME.matches("name \\d")))).isTrue();
        assertThat(things.stream().noneMatch(NAME.matches("name \\d"))).isFalse();
    }

    @Test
    void explain_ofAnOrderThatDatabasesDoNotKnow_saysWhichField() {
        assertThat(things.explain(things.stream().sorted(ID.thenComparing(COLOR)).limit(3)))
                .contains("sorted, limit")
                .contains("because: sorted: the database has another order of Thing.color");
        assertThat(things.explain(things.stream().map(NAME).sorted()))
                .contains("because: sorted: by themselves, values of Thing.name");
        assertThat(things.explain(things.stream().skip(3).map(NAME).distinct()))
                .contains("because: distinct: the elements were cut before");
        assertThat(things.explain(things.stream().skip(3))).contains("note: the rows to skip");
        assertThat(things.explain(things.stream().unordered().filter(ACTIVE.isTrue())))
                .contains("where ACTIVE = ?")
                .doesNotContain("JVM");
    }

    @Test
    void table_changedWhileItIsUsed_isAnErrorThatSaysWhatToDo() throws SQLException {
        try (TestDatabase changing = TestDatabase.create(Kind.H2)) {
            changing.execute(
                    "create table thing (name varchar(9) not null, color varchar(9) not null)");
            TextField<Thing> name = TextField.of(Thing.class, "name", Thing::name);
            EnumField<Thing, Thing.Color> color =
                    EnumField.of(
                            Thing.class,
                            "color",
                            Thing.Color.class,
                            Thing::color,
                            Thing.Color::text,
                            Thing.Color::of);
            Entity<Thing> entity =
                    Entity.of(
                            Thing.class,
                            "thing",
                            row ->
                                    Thing.of(1, requireNonNull(row.getString(0)))
                                            .color(Thing.Color.of(row.getString(1))),
                            List.of(name, color),
                            List.of());
            TypedTable<Thing> table = Database.connect(changing.dataSource()).table(entity);
            changing.execute(
                    "alter table thing alter column name drop not null",
                    "insert into thing values (null, 'red')");
            assertThatThrownBy(() -> table.stream().toList())
                    .isInstanceOf(QueryException.class)
                    .hasMessageContaining("field Thing.name failed: it is never null")
                    .hasMessageContaining("open the database again");
            assertThatThrownBy(() -> table.stream().map(name).toList())
                    .hasMessageContaining("field Thing.name failed: it is never null");
            changing.execute("update thing set name = 'a', color = 'mauve'");
            assertThatThrownBy(() -> table.stream().findFirst())
                    .hasMessageContaining(
                            "field Thing.color failed: the column holds \"mauve\", which is no text of a constant of Color")
                    .hasMessageContaining("generate it again");
            changing.execute("alter table thing drop column color");
            assertThatThrownBy(() -> table.stream().toList())
                    .hasMessageContaining("reading table THING failed")
                    .hasMessageContaining("open the database again");
        }
    }

    @Test
    void stream_nestedWithoutBound_isAskedAsFarAsDatabasesFollow() {
        Stream<Thing> stream = things.stream();
        Stream<Thing> list = LIST.stream().sorted(ID);
        for (int i = 0; i < 60; i++) {
            stream = stream.limit(100 - i).filter(ID.notEqual(i));
            list = list.limit(100 - i).filter(ID.notEqual(i));
        }
        assertThat(stream.map(ID).toList()).isEqualTo(list.map(ID).toList());
        Condition<Thing> nested = ID.equal(1);
        for (int i = 0; i < 400; i++) {
            nested = nested.or(ID.equal(i)).and(ID.notEqual(2 * i));
        }
        assertThat(things.stream().filter(nested).count())
                .isEqualTo(LIST.stream().filter(nested).count());
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"H2", "POSTGRESQL", "MARIADB"})
    void in_ofMoreValuesThanADatabaseBinds_findsTheirRows(Kind kind) throws SQLException {
        try (TestDatabase other = TestDatabase.create(kind)) {
            Things.create(other, LIST);
            TypedTable<Thing> table = Database.connect(other.dataSource()).table(Thing.TABLE);
            for (int count : List.of(10, 10_000, 110_000)) {
                List<Integer> even = IntStream.range(0, count).map(i -> 2 * i).boxed().toList();
                for (Condition<Thing> condition : List.of(LENGTH.in(even), LENGTH.notIn(even))) {
                    assertThat(table.stream().filter(condition).count())
                            .isEqualTo(LIST.stream().filter(condition).count());
                    assertThat(table.stream().filter(condition).map(ID).sorted().toList())
                            .isEqualTo(LIST.stream().filter(condition).map(ID).toList());
                }
            }
        }
    }

    @Test
    void arithmetic_ofOneShape_mindsTheWidthOfItsNumbers() {
        for (long n : new long[] {5, Long.MAX_VALUE, 5, Long.MIN_VALUE}) {
            Condition<Thing> condition = ID.plus(n).greaterThan(n);
            assertThat(things.stream().filter(condition).count()).isEqualTo(LIST.size());
        }
    }
}
