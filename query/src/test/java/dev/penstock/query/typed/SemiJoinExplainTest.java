package dev.penstock.query.typed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.sql.Database;
import dev.penstock.query.typed.aggregate.Aggregates;
import dev.penstock.query.typed.field.Condition;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The SQL of conditions on the values of another stream, and what is told of those that are read first. */
class SemiJoinExplainTest {
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

    private static Stream<Integer> referred() {
        return database.table(Part.TABLE).stream().filter(Part.SIZE.lessThan(5L)).map(Part.THING);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void explain_streamsOfOneDatabase_isOneQuery(Kind kind) throws Exception {
        try (TestDatabase other = kind == Kind.H2 ? null : TestDatabase.create(kind)) {
            Database asked = other == null ? database : Part.connected(other);
            TypedTable<Thing> things = asked.table(Thing.TABLE);
            TypedTable<Part> parts = asked.table(Part.TABLE);
            Condition<Thing> in =
                    Thing.ID.in(
                            parts.stream()
                                    .filter(Part.SIZE.lessThan(5L))
                                    .sorted(Part.NAME)
                                    .map(Part.THING)
                                    .distinct());
            assertThat(sql(things.explain(things.stream().filter(in).map(Thing.ID))))
                    .isEqualTo(
                            "SELECT t.id FROM thing t WHERE t.id IN (SELECT t.thing FROM part t WHERE t.size < ?)");
            Condition<Thing> notIn =
                    Thing.LENGTH.notIn(parts.stream().sorted(Part.SIZE).limit(5).map(Part.THING));
            String values =
                    "FROM (SELECT t.thing AS v FROM part t ORDER BY t.size, t.id LIMIT ?) s WHERE s.v";
            String test =
                    kind == Kind.POSTGRESQL
                            ? "NOT EXISTS (SELECT 1 " + values + " = t.length))"
                            : "(t.length NOT IN (SELECT s.v "
                                    + values
                                    + " IS NOT NULL) OR t.length IS NULL))";
            assertThat(sql(things.explain(things.stream().filter(notIn).map(Thing.ID))))
                    .isEqualTo("SELECT t.id FROM thing t WHERE (t.length IS NOT NULL AND " + test);
        }
    }

    /** The SQL of an explanation, in lower case but for its words, without quotes and schema. */
    private static String sql(String explanation) {
        String line =
                explanation
                        .lines()
                        .filter(each -> each.startsWith("SQL: "))
                        .findFirst()
                        .orElse(explanation)
                        .substring(5);
        return Pattern.compile("[`\"]([^`\"]*)[`\"]")
                .matcher(line)
                .replaceAll(name -> name.group(1).toLowerCase(Locale.ROOT))
                .replaceAll("::[a-z0-9]+", "")
                .replaceAll("\\b[a-z_0-9]+\\.(thing|part) t", "$1 t");
    }

    @Test
    void explain_streamsOfOneDatabase_tellsThePlan() {
        TypedTable<Thing> things = database.table(Thing.TABLE);
        Condition<Thing> condition = Thing.ID.in(referred());
        assertThat(things.explain(things.stream().filter(condition).map(Thing.ID)))
                .isEqualTo(
                        """
                        plan: rows of THING where ID in (rows of PART where SIZE < ?: THING): ID
                        engine: H2
                        SQL: SELECT t."ID" FROM "PUBLIC"."THING" t WHERE t."ID" IN \
                        (SELECT t."THING" FROM "PUBLIC"."PART" t WHERE t."SIZE" < ?)
                        """);
    }

    @Test
    void explain_codeInTheInnerStream_tellsWhatIsReadFirstAndReadsNothing() {
        TypedTable<Thing> things = database.table(Thing.TABLE);
        AtomicInteger read = new AtomicInteger();
        Condition<Thing> condition = Thing.ID.in(referred().peek(_ -> read.incrementAndGet()));
        assertThat(things.explain(things.stream().filter(condition).map(Thing.ID)))
                .isEqualTo(
                        """
                        plan: rows of THING: ID
                        engine: H2
                        SQL: SELECT t."ID" FROM "PUBLIC"."THING" t
                        not shown: filters by values that are read first, and then are in the plan
                        read first: the values for ID in …: peek is code or no operation on fields
                        """);
        assertThat(read).hasValue(0);
        assertThat(things.explain(s -> s.filter(condition).count()))
                .contains(" IN (?, ?, ?, ?)")
                .contains(
                        "read first: the values for ID in …: peek is code or no operation on fields\n");
        assertThat(read).hasValue(5);
    }

    @Test
    void explain_withAConditionBesideThatIsNoStream_leavesOutOnlyWhatIsReadFirst() {
        TypedTable<Thing> things = database.table(Thing.TABLE);
        Condition<Thing> readFirst = Thing.ID.in(referred().peek(_ -> {}));
        Condition<Thing> all =
                Thing.LENGTH.greaterThan(7).and(readFirst).and(Thing.ID.in(referred()));
        assertThat(things.explain(things.stream().filter(all).map(Thing.ID)))
                .contains(
                        " WHERE (t.\"LENGTH\" > ? AND t.\"ID\" IN (SELECT t.\"THING\" FROM ",
                        "not shown: filters by values that are read first",
                        "read first: the values for ID in …: peek is code");
        Condition<Thing> either = Thing.LENGTH.greaterThan(7).or(readFirst);
        assertThat(things.explain(things.stream().filter(either).map(Thing.ID)))
                .doesNotContain(" WHERE ");
    }

    @Test
    void explain_withAConditionThatNoDatabaseDoes_keepsTheSubqueryInTheDatabase() {
        TypedTable<Thing> things = database.table(Thing.TABLE);
        Condition<Thing> condition = Thing.ID.in(referred()).and(Thing.NAME.matches(".*3"));
        assertThat(things.explain(things.stream().filter(condition)))
                .contains(" WHERE t.\"ID\" IN (SELECT ", "in the JVM: filter\n")
                .doesNotContain("read first");
    }

    /** The first two the database narrows no row by; the others are given to the JVM behind code, and at the end. */
    @Test
    void explain_conditionThatTheJvmTests_tellsThatItsValuesAreReadFirst() {
        TypedTable<Thing> things = database.table(Thing.TABLE);
        String told = "read first: the values for ID in …: the JVM tests the condition\n";
        Condition<Thing> either = Thing.ID.in(referred()).or(Thing.NAME.matches(".*3"));
        assertThat(things.explain(things.stream().filter(either))).contains(told);
        assertThat(things.explain(s -> s.filter(either).count())).contains(told);
        Condition<Thing> behindCode = Thing.ID.in(referred());
        assertThat(things.explain(things.stream().peek(_ -> {}).filter(behindCode)))
                .containsOnlyOnce(told)
                .doesNotContain("not shown");
        assertThat(things.explain(s -> s.peek(_ -> {}).filter(behindCode.or(t -> false)).count()))
                .containsOnlyOnce(told);
        assertThat(things.explain(s -> s.peek(_ -> {}).anyMatch(behindCode))).contains(told);
        assertThat(
                        things.explain(s ->
                                s.peek(_ -> {})
                                        .collect(
                                                Aggregates.filtered(
                                                        behindCode, Aggregates.count()))))
                .contains(told);
        // Here the database does all of it.
        assertThat(
                        things.explain(s ->
                                s.collect(Aggregates.filtered(behindCode, Aggregates.count()))))
                .doesNotContain("read first");
    }

    /** Only the values of the innermost stream are read; what lies between is part of the query. */
    @Test
    void explain_codeInTheInnermostOfThreeStreams_keepsTheMiddleOneInTheQuery() {
        TypedTable<Thing> things = database.table(Thing.TABLE);
        AtomicInteger read = new AtomicInteger();
        Condition<Part> innermost =
                Part.THING.in(
                        things.stream()
                                .filter(Thing.ID.lessThan(9))
                                .map(Thing.ID)
                                .peek(_ -> read.incrementAndGet()));
        Condition<Thing> condition =
                Thing.ID.in(database.table(Part.TABLE).stream().filter(innermost).map(Part.THING));
        String told =
                "read first: the values for THING in …: peek is code or no operation on fields\n";
        assertThat(things.explain(things.stream().filter(condition))).contains("not shown", told);
        assertThat(read).hasValue(0);
        assertThat(things.explain(s -> s.filter(condition).count()))
                .contains(
                        " IN (SELECT t.\"THING\" FROM \"PUBLIC\".\"PART\" t WHERE (t.\"THING\" IN (?");
        int values = read.get();
        assertThat(values).isPositive();
        assertThat(things.stream().filter(condition).map(Thing.ID).toList())
                .isNotEmpty()
                .allSatisfy(id -> assertThat(id).isLessThan(9));
        assertThat(read).hasValue(values);
    }
}
