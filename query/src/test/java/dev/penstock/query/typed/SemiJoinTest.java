package dev.penstock.query.typed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.QueryException;
import dev.penstock.query.sql.Database;
import dev.penstock.query.typed.aggregate.Aggregates;
import dev.penstock.query.typed.field.Condition;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Conditions on the values of another stream, which become one query with it or are read before. */
class SemiJoinTest {
    private static final List<Thing> THINGS = StreamConformanceTest.LIST;

    private static final List<Part> PARTS = Part.LIST;

    private static TestDatabase server;
    private static Database database;

    @BeforeAll
    static void open() throws Exception {
        server = TestDatabase.create(Kind.H2);
        database = Part.connected(server);
    }

    @AfterAll
    static void close() {
        server.close();
    }

    /** A condition on things, and the same on lists. */
    record Case(
            String name,
            Function<Stream<Part>, Condition<Thing>> condition,
            Function<List<Part>, Condition<Thing>> expected) {}

    private static <V> List<V> list(Stream<V> values) {
        return values.filter(v -> v != null).toList();
    }

    private static List<Case> cases() {
        return List.of(
                new Case(
                        "filter",
                        parts -> Thing.ID.in(parts.filter(Part.ID.lessThan(40)).map(Part.THING)),
                        parts ->
                                Thing.ID.in(
                                        list(
                                                parts.stream()
                                                        .filter(p -> p.id() < 40)
                                                        .map(Part::thing)))),
                new Case(
                        "notIn with nulls on both sides",
                        parts -> Thing.LENGTH.notIn(parts.map(Part.THING)),
                        parts -> Thing.LENGTH.notIn(list(parts.stream().map(Part::thing)))),
                new Case(
                        "negate",
                        parts -> Thing.LENGTH.in(parts.map(Part.THING)).negate(),
                        parts -> Thing.LENGTH.in(list(parts.stream().map(Part::thing))).negate()),
                new Case(
                        "none",
                        parts -> Thing.LENGTH.notIn(parts.limit(0).map(Part.THING)),
                        _ -> Thing.LENGTH.notIn(List.of())),
                new Case(
                        "only nulls",
                        parts ->
                                Thing.LENGTH.notIn(
                                        parts.filter(Part.THING.isNull()).map(Part.THING)),
                        _ -> Thing.LENGTH.notIn(List.of())),
                new Case(
                        "texts, distinct",
                        parts -> Thing.NAME.in(parts.map(Part.NAME).distinct()),
                        parts -> Thing.NAME.in(list(parts.stream().map(Part::name)))),
                new Case(
                        "texts, not in",
                        parts -> Thing.NAME.notIn(parts.map(Part.NAME)),
                        parts -> Thing.NAME.notIn(list(parts.stream().map(Part::name)))),
                new Case(
                        "sorted, cut",
                        parts ->
                                Thing.ID.in(
                                        parts.sorted(Part.SIZE.reversed())
                                                .skip(3)
                                                .limit(9)
                                                .map(Part.THING)),
                        parts ->
                                Thing.ID.in(
                                        list(
                                                parts.stream()
                                                        .sorted(Part.SIZE.reversed())
                                                        .skip(3)
                                                        .limit(9)
                                                        .map(Part::thing)))),
                new Case(
                        "not in, sorted, cut",
                        parts -> Thing.ID.notIn(parts.sorted(Part.SIZE).limit(20).map(Part.THING)),
                        parts -> Thing.ID.notIn(list(parts.stream().limit(20).map(Part::thing)))),
                new Case(
                        "with another condition",
                        parts ->
                                Thing.ID
                                        .in(parts.filter(Part.NAME.equal("name 1")).map(Part.THING))
                                        .or(Thing.ACTIVE.isTrue().negate()),
                        parts ->
                                Thing.ID
                                        .in(
                                                list(
                                                        parts.stream()
                                                                .filter(Part.NAME.equal("name 1"))
                                                                .map(Part::thing)))
                                        .or(Thing.ACTIVE.isTrue().negate())),
                new Case(
                        "code",
                        parts ->
                                Thing.LENGTH.notIn(
                                        parts.map(Part.THING).filter(v -> v != null && v % 3 == 0)),
                        parts ->
                                Thing.LENGTH.notIn(
                                        list(
                                                parts.stream()
                                                        .map(Part::thing)
                                                        .filter(v -> v != null && v % 3 == 0)))),
                new Case(
                        "a condition that no database does",
                        parts ->
                                Thing.ID.in(
                                        parts.filter(Part.NAME.matches(".*[13]")).map(Part.THING)),
                        parts ->
                                Thing.ID.in(
                                        list(
                                                parts.stream()
                                                        .filter(Part.NAME.matches(".*[13]"))
                                                        .map(Part::thing)))));
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void in_valuesOfAStream_meansWhatItMeansOnLists(Kind kind) throws Exception {
        try (TestDatabase other = kind == Kind.H2 ? null : TestDatabase.create(kind)) {
            Database asked = other == null ? database : Part.connected(other);
            TypedTable<Thing> things = asked.table(Thing.TABLE);
            TypedTable<Part> parts = asked.table(Part.TABLE);
            for (Case each : cases()) {
                List<Integer> expected =
                        THINGS.stream()
                                .filter(each.expected.apply(PARTS))
                                .map(Thing::id)
                                .sorted()
                                .toList();
                Condition<Thing> condition = each.condition.apply(parts.stream());
                assertThat(things.stream().filter(condition).map(Thing.ID).toList())
                        .as(each.name)
                        .containsExactlyInAnyOrderElementsOf(expected);
                assertThat(things.stream().filter(condition).count())
                        .as(each.name)
                        .isEqualTo(expected.size());
                assertThat(
                                things.stream()
                                        .collect(
                                                Aggregates.filtered(condition, Aggregates.count())))
                        .as(each.name)
                        .isEqualTo(expected.size());
                assertThat(things.stream().anyMatch(condition))
                        .as(each.name)
                        .isEqualTo(!expected.isEmpty());
                assertThat(THINGS.stream().filter(condition).map(Thing::id).sorted())
                        .as("%s in the JVM", each.name)
                        .isEqualTo(expected);
            }
        }
    }

    private static Stream<Integer> referred() {
        return database.table(Part.TABLE).stream().filter(Part.SIZE.lessThan(5L)).map(Part.THING);
    }

    @Test
    void in_numbersThatWereInts_areOneQueryWhereTheyAreNeverNull() {
        TypedTable<Thing> things = database.table(Thing.TABLE);
        TypedTable<Part> parts = database.table(Part.TABLE);
        Condition<Thing> ints = Thing.LENGTH.in(parts.stream().mapToInt(Part.ID).boxed());
        assertThat(things.explain(things.stream().filter(ints))).contains(" IN (SELECT t.\"ID\"");
        assertThat(things.stream().filter(ints).count())
                .isEqualTo(
                        THINGS.stream().filter(t -> t.length() != null && t.length() < 90).count())
                .isPositive();
        Condition<Thing> longs =
                Thing.SIZE.notIn(parts.stream().mapToInt(Part.ID).asLongStream().boxed());
        assertThat(things.explain(things.stream().filter(longs))).contains("(SELECT t.\"ID\"");
        assertThat(things.stream().filter(longs).count())
                .isEqualTo(THINGS.stream().filter(t -> t.size() >= 90).count())
                .isPositive();
        // As on a list, a null is no int.
        Condition<Thing> nulls = Thing.LENGTH.in(parts.stream().mapToInt(Part.THING).boxed());
        assertThatThrownBy(() -> things.stream().filter(nulls).count())
                .isInstanceOf(NullPointerException.class);
    }

    @Test
    void in_stream_readsNothingBeforeTheTerminalOperationAndThenOnce() {
        AtomicInteger read = new AtomicInteger();
        Condition<Thing> condition = Thing.ID.in(referred().peek(_ -> read.incrementAndGet()));
        Stream<Thing> stream = database.table(Thing.TABLE).stream().filter(condition);
        assertThat(read).hasValue(0);
        assertThat(stream.count()).isEqualTo(4);
        assertThat(database.table(Thing.TABLE).stream().filter(condition).toList()).hasSize(4);
        assertThat(THINGS.stream().filter(condition)).hasSize(4);
        assertThat(read).hasValue(5);
    }

    @Test
    void in_partOfTheQuery_isAskedAnewEachTime() throws Exception {
        try (TestDatabase own = TestDatabase.create(Kind.H2)) {
            Database asked = Part.connected(own);
            Condition<Thing> condition =
                    Thing.ID.in(asked.table(Part.TABLE).stream().map(Part.THING));
            assertThat(asked.table(Thing.TABLE).stream().filter(condition).count()).isPositive();
            own.execute("delete from part");
            assertThat(asked.table(Thing.TABLE).stream().filter(condition).count()).isZero();
        }
    }

    @Test
    void in_streamThatWasUsed_isAnError() {
        Stream<Integer> values = referred();
        Condition<Thing> condition = Thing.ID.in(values);
        assertThatThrownBy(values::toList).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> values.filter(v -> v > 1))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> Thing.LENGTH.in(values)).isInstanceOf(IllegalStateException.class);
        assertThat(database.table(Thing.TABLE).stream().filter(condition).count()).isEqualTo(4);
        assertThatThrownBy(() -> Thing.ID.in(Stream.of(1, 2)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Thing.id.in(…) is given a java.util.stream")
                .hasMessageContaining("collect others by toList()");
    }

    @Test
    void close_ofTheOuterStream_closesTheInnerOne() {
        List<String> closed = new ArrayList<>();
        Stream<Integer> values = referred().onClose(() -> closed.add("inner"));
        try (Stream<Thing> stream =
                database.table(Thing.TABLE).stream()
                        .onClose(() -> closed.add("outer"))
                        .filter(Thing.ID.in(values))) {
            assertThat(stream.count()).isEqualTo(4);
            assertThat(closed).isEmpty();
        }
        assertThat(closed).containsExactly("outer", "inner");
    }

    @Test
    void in_anotherDatabase_readsTheValuesFirst() throws Exception {
        try (TestDatabase own = TestDatabase.create(Kind.H2)) {
            TypedTable<Thing> things = Part.connected(own).table(Thing.TABLE);
            assertThat(things.stream().filter(Thing.ID.in(referred())).count()).isEqualTo(4);
            assertThat(things.stream().filter(Thing.ID.notIn(referred())).count())
                    .isEqualTo(THINGS.size() - 4);
            assertThat(things.explain(things.stream().filter(Thing.ID.in(referred()))))
                    .contains("read first: the values for ID in …: they are asked of H2");
        }
    }

    @Test
    void in_nestedSubqueries_areOneQuery() {
        TypedTable<Thing> things = database.table(Thing.TABLE);
        Condition<Thing> condition =
                Thing.ID.in(
                        database.table(Part.TABLE).stream()
                                .filter(
                                        Part.THING.in(
                                                things.stream()
                                                        .filter(Thing.ACTIVE.isTrue())
                                                        .map(Thing.ID)))
                                .map(Part.THING));
        assertThat(things.explain(things.stream().filter(condition).map(Thing.ID)))
                .contains(
                        " IN (SELECT t.\"THING\" FROM \"PUBLIC\".\"PART\" t WHERE t.\"THING\" IN (SELECT ");
        List<Integer> active = THINGS.stream().filter(Thing::active).map(Thing::id).toList();
        List<Integer> referred = PARTS.stream().map(Part::thing).filter(active::contains).toList();
        assertThat(things.stream().filter(condition).map(Thing.ID))
                .containsExactlyInAnyOrderElementsOf(
                        THINGS.stream().map(Thing::id).filter(referred::contains).toList());
    }

    @Test
    void in_moreValuesThanAreKept_failsWithTheRemedy() {
        Stream<Integer> values =
                referred().limit(1).flatMap(_ -> IntStream.rangeClosed(0, 1_000_000).boxed());
        Condition<Thing> condition = Thing.ID.in(values);
        assertThatThrownBy(() -> database.table(Thing.TABLE).stream().filter(condition).count())
                .isInstanceOf(QueryException.class)
                .hasMessageContaining("reading the values of a stream of Part (table part)")
                .hasMessageContaining("more than 1,000,000 different ones. Filter them, or ");
    }

    @Test
    void in_moreValuesThanADatabaseBinds_isTestedInTheJvm() {
        Condition<Thing> condition =
                Thing.ID.in(referred().limit(1).flatMap(_ -> IntStream.range(3, 200_000).boxed()));
        assertThat(database.table(Thing.TABLE).stream().filter(condition).count())
                .isEqualTo(THINGS.stream().filter(t -> t.id() >= 3).count());
    }

    @Test
    void in_testedInTheJvm_readsTheValuesBeforeTheRowsOverOneConnection() {
        HikariConfig config = new HikariConfig();
        config.setDataSource(server.dataSource());
        config.setMaximumPoolSize(1);
        config.setConnectionTimeout(1000);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            Database one = Database.connect(pool);
            TypedTable<Thing> things = one.table(Thing.TABLE);
            Function<Stream<Part>, Condition<Thing>> condition =
                    parts ->
                            Thing.ID
                                    .in(parts.filter(Part.SIZE.lessThan(5L)).map(Part.THING))
                                    .or(Thing.NAME.matches(".*3"));
            List<Integer> expected =
                    THINGS.stream()
                            .filter(condition.apply(database.table(Part.TABLE).stream()))
                            .map(Thing::id)
                            .toList();
            Condition<Thing> asked = condition.apply(one.table(Part.TABLE).stream());
            assertThat(things.stream().filter(asked).map(Thing.ID))
                    .containsExactlyInAnyOrderElementsOf(expected);
            Condition<Thing> behindCode = condition.apply(one.table(Part.TABLE).stream());
            assertThat(things.stream().peek(_ -> {}).filter(behindCode).map(Thing.ID))
                    .containsExactlyInAnyOrderElementsOf(expected);
            assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
        }
    }
}
