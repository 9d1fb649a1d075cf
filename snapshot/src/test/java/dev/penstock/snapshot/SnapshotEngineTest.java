package dev.penstock.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.Aggregate;
import dev.penstock.query.Aggregate.Function;
import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import dev.penstock.query.Cursor;
import dev.penstock.query.Engine;
import dev.penstock.query.Plan;
import dev.penstock.query.Plan.Item;
import dev.penstock.query.Plan.Order;
import dev.penstock.query.Predicate;
import dev.penstock.query.Predicate.Comparator;
import dev.penstock.query.Predicate.TextOperation;
import dev.penstock.query.QueryException;
import dev.penstock.query.Table;
import dev.penstock.query.sql.Database;
import dev.penstock.query.sql.Rows;
import dev.penstock.query.typed.TypedTable;
import dev.penstock.query.typed.field.Entity;
import dev.penstock.query.typed.field.TextField;
import dev.penstock.snapshot.aggregate.QueryResult;
import dev.penstock.snapshot.column.TextColumn;
import dev.penstock.snapshot.execute.Execution;
import dev.penstock.snapshot.execute.ResultCursor;
import dev.penstock.snapshot.index.BuiltIndex;
import dev.penstock.snapshot.index.IndexedTable;
import dev.penstock.snapshot.memory.Memory;
import dev.penstock.snapshot.rows.RowSource;
import dev.penstock.snapshot.work.QueryContext;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Tests of what the engine refuses, fails with, explains and stops, and that without memory for indexes it answers the
 * same.
 */
class SnapshotEngineTest {
    private static final int FILMS = 20_000;

    private static TestDatabase server;
    private static Database database;
    private static SnapshotEngine engine;
    private static Table films;

    @BeforeAll
    static void load() {
        server = TestDatabase.create(Kind.H2);
        server.execute(
                "create table films (id int primary key, title varchar(300), length int, rating"
                        + " varchar(5), votes bigint)",
                "insert into films select x, case when x % 1000 = 0 then null else 'Title ' || (x *"
                        + " 7919 % 20000) || repeat(' and so on', 25) end,"
                        + " case when x % 11 = 0 then null else 40 + x * 31 % 150 end,"
                        + " decode(x % 3, 0, 'G', 1, 'PG', 'R'), 9223372036854775807 from system_range(1, "
                        + FILMS
                        + ")",
                "create table keyless (title varchar(50) not null)");
        database = Database.connect(server.dataSource());
        engine = InMemory.of(database, new Memory(Long.MAX_VALUE));
        films = engine.schema().table("films").orElseThrow();
        assertThat(InMemory.stored(database, films, new Memory(Long.MAX_VALUE)).columns().get(1))
                .isInstanceOf(TextColumn.class);
    }

    @AfterAll
    static void close() {
        server.close();
    }

    private static Predicate compare(String column, Comparator by, Object value) {
        return new Predicate.Comparison(column, by, value);
    }

    private static List<Item> items(String... columns) {
        return java.util.Arrays.stream(columns).map(column -> new Item(column, column)).toList();
    }

    /** Plans that each index serves. */
    private static List<Plan> indexed() {
        Plan all = Plan.of(films);
        Predicate longer = compare("LENGTH", Comparator.GREATER, 120);
        Predicate rated = compare("RATING", Comparator.EQUAL, "PG");
        Predicate prefix =
                new Predicate.Text("TITLE", TextOperation.STARTS_WITH, "Title 77", false);
        Predicate few = new Predicate.In("LENGTH", List.of(7, 100, 140));
        Predicate some =
                new Predicate.And(List.of(longer, compare("LENGTH", Comparator.LESS, 130), rated));
        Predicate shorterOrNone =
                new Predicate.Or(
                        List.of(
                                compare("LENGTH", Comparator.LESS, 60),
                                new Predicate.IsNull("LENGTH")));
        List<Plan> plans = new ArrayList<>();
        plans.add(all.where(longer).count());
        plans.add(all.where(prefix).count());
        plans.add(all.where(prefix).count());
        plans.add(all.where(prefix).orderBy(List.of(new Order("ID", false, false))));
        plans.add(all.where(longer).where(rated).count());
        plans.add(all.where(compare("ID", Comparator.LESS, 5000)).where(rated).count());
        plans.add(
                all.where(
                        compare("TITLE", Comparator.EQUAL, "Title 77" + " and so on".repeat(25))));
        plans.add(
                all.where(longer)
                        .aggregate(
                                items("RATING"),
                                List.of(
                                        Aggregate.count("n"),
                                        Aggregate.of(Function.AVERAGE, "LENGTH", "average"),
                                        Aggregate.of(Function.MIN, "LENGTH", "least"))));
        plans.add(all.distinct(items("RATING", "LENGTH")));
        plans.add(all.where(compare("ID", Comparator.LESS, 9)).distinct(items("TITLE")));
        for (TextOperation operation : TextOperation.values()) {
            for (boolean ignoring : List.of(false, true)) {
                plans.add(
                        all.where(new Predicate.Text("TITLE", operation, "tle 77", ignoring))
                                .count());
                plans.add(
                        all.where(new Predicate.Text("TITLE", operation, "so on", ignoring))
                                .count());
                plans.add(
                        all.where(new Predicate.Text("TITLE", operation, "TITLE 7", ignoring))
                                .count());
            }
        }
        for (Comparator by : Comparator.values()) {
            plans.add(all.where(compare("TITLE", by, "Title 5")).count());
            plans.add(all.where(compare("TITLE", by, "Title 5" + " and so on".repeat(25))).count());
        }
        plans.add(
                all.aggregate(
                        items("RATING"),
                        List.of(
                                Aggregate.of(Function.MIN, "TITLE", "first"),
                                Aggregate.of(Function.MAX, "TITLE", "last"),
                                Aggregate.of(Function.COUNT_VALUES, "TITLE", "titles"))));
        for (boolean descending : List.of(false, true)) {
            for (boolean nullsFirst : List.of(false, true)) {
                Order byLength = new Order("LENGTH", descending, nullsFirst);
                Order byTitle = new Order("TITLE", descending, nullsFirst);
                plans.add(all.orderBy(List.of(byLength)).skip(745).limit(5));
                plans.add(all.orderBy(List.of(byLength)).skip(18_500).limit(700));
                plans.add(all.where(rated).orderBy(List.of(byLength)).skip(3).limit(50));
                plans.add(all.orderBy(List.of(byLength, byTitle)).limit(300));
                plans.add(all.where(rated).orderBy(List.of(byTitle)).skip(20).limit(7));
                plans.add(all.where(longer).orderBy(List.of(byLength)));
                plans.add(all.where(longer).orderBy(List.of(byLength)).skip(900).limit(30));
                plans.add(all.where(longer).orderBy(List.of(byLength, byTitle)).limit(30));
                plans.add(all.where(few).orderBy(List.of(byLength)).limit(30));
                plans.add(all.where(some).orderBy(List.of(byLength)).skip(2).limit(30));
                plans.add(all.where(shorterOrNone).orderBy(List.of(byLength)).skip(40).limit(900));
            }
            Order byKey = new Order("ID", descending, false);
            Predicate behind = compare("ID", Comparator.GREATER, 12_345);
            plans.add(all.where(behind).orderBy(List.of(byKey)).limit(20));
            plans.add(all.where(behind).where(rated).orderBy(List.of(byKey)).skip(5).limit(20));
        }
        return plans;
    }

    private static List<List<String>> comparable(Engine engine, Plan plan) {
        List<List<String>> rows = Rows.texts(engine, plan);
        if (plan.order().isEmpty() && plan.slices().isEmpty()) {
            rows.sort(java.util.Comparator.comparing(Object::toString));
        }
        return rows;
    }

    @Test
    void plan_thatAnIndexServes_answersAsTheDatabaseDoes() {
        for (Plan plan : indexed()) {
            String about = engine.explain(plan).text();
            assertThat(comparable(engine, plan)).as(about).isEqualTo(comparable(database, plan));
        }
    }

    @Test
    void plan_withoutMemoryForIndexes_answersTheSameAndSaysSo() {
        SnapshotEngine crowded =
                InMemory.of(database, new Memory(Long.MAX_VALUE), new Memory(40_000));
        Plan byLength =
                Plan.of(films)
                        .where(compare("LENGTH", Comparator.LESS, 41))
                        .orderBy(List.of(new Order("LENGTH", true, false)))
                        .limit(50);
        assertThat(Rows.texts(crowded, byLength)).isEqualTo(Rows.texts(engine, byLength));
        assertThat(crowded.explain(byLength).notes())
                .containsExactly(
                        "a scan of 20,000 rows, since there is no memory for an index; what passes is sorted");
        List<Plan> plans = new ArrayList<>(indexed());
        plans.addAll(ofTexts());
        for (Plan plan : plans) {
            assertThat(comparable(crowded, plan))
                    .as(plan.toString())
                    .isEqualTo(comparable(engine, plan));
        }
        Plan byTitle = Plan.of(films).orderBy(List.of(new Order("TITLE", true, false))).limit(5);
        assertThat(crowded.explain(byTitle).notes())
                .containsExactly(
                        "20,000 rows are read; what passes is sorted by comparing its texts, since"
                                + " there is no memory for their order");
    }

    /** Plans that sort and group by a text of many values. */
    private static List<Plan> ofTexts() {
        Plan all = Plan.of(films);
        Plan few = all.where(compare("ID", Comparator.LESS, 2_000));
        List<Plan> plans = new ArrayList<>();
        for (boolean descending : List.of(false, true)) {
            for (boolean nullsFirst : List.of(false, true)) {
                Order byTitle = new Order("TITLE", descending, nullsFirst);
                Order byRating = new Order("RATING", !descending, nullsFirst);
                plans.add(all.orderBy(List.of(byTitle)));
                plans.add(all.orderBy(List.of(byTitle)).skip(19_970));
                plans.add(all.orderBy(List.of(byRating, byTitle)).skip(5_000).limit(6_000));
                plans.add(few.orderBy(List.of(byTitle, byRating)).limit(0));
                plans.add(few.orderBy(List.of(byTitle)).distinct(items("TITLE")));
            }
        }
        List<Aggregate> values =
                List.of(
                        Aggregate.count("n"),
                        Aggregate.of(Function.MIN, "TITLE", "first"),
                        Aggregate.of(Function.MAX, "TITLE", "last"),
                        Aggregate.of(Function.COUNT_VALUES, "TITLE", "titles"));
        plans.add(all.aggregate(List.of(), values));
        plans.add(all.aggregate(items("RATING"), values));
        plans.add(all.aggregate(items("TITLE"), values));
        plans.add(few.aggregate(items("TITLE", "RATING", "VOTES", "LENGTH"), values));
        plans.add(few.aggregate(items("VOTES", "ID", "TITLE"), values));
        plans.add(all.distinct(items("TITLE")));
        plans.add(few.distinct(items("TITLE", "RATING")).skip(7).limit(20));
        return plans;
    }

    @Test
    void query_thatSorts_takesHeapUntilItsCursorIsClosed() {
        Plan plan =
                Plan.of(films).limit(FILMS - 1).orderBy(List.of(new Order("LENGTH", false, false)));
        QueryContext context = new QueryContext();
        Execution execution = new Execution(engine::indexed, new Memory(Long.MAX_VALUE), context);
        try (ResultCursor cursor =
                new ResultCursor(plan::columns, _ -> execution.answer(plan), context, () -> {})) {
            assertThat(cursor.next()).isTrue();
            assertThat(context.reservation().taken()).isGreaterThanOrEqualTo((FILMS - 1) * 4L);
        }
        assertThat(context.reservation().taken()).isZero();
    }

    @Test
    void next_afterAnError_givesNoRowTwice() {
        RowSource rows =
                new RowSource() {
                    private boolean begun;

                    @Override
                    public int next(int[] rows, int most) {
                        if (begun) {
                            throw new OutOfMemoryError("no block of rows");
                        }
                        begun = true;
                        return 2;
                    }

                    @Override
                    public void skip(long count) {}

                    @Override
                    public long count() {
                        return 2;
                    }

                    @Override
                    public long nanos() {
                        return 0;
                    }
                };
        try (ResultCursor cursor =
                new ResultCursor(List.of(), _ -> new QueryResult(List.of(), rows))) {
            assertThat(cursor.next()).isTrue();
            assertThat(cursor.next()).isTrue();
            assertThatThrownBy(cursor::next).isInstanceOf(OutOfMemoryError.class);
            assertThatThrownBy(cursor::next).isInstanceOf(OutOfMemoryError.class);
        }
    }

    @Test
    void in_withTheGreatestNumber_findsIt() {
        Predicate in = new Predicate.In("VOTES", List.of(1L, Long.MAX_VALUE, Long.MIN_VALUE));
        assertThat(Rows.texts(engine, Plan.of(films).where(in).count()))
                .containsExactly(List.of(Integer.toString(FILMS)));
    }

    @Test
    void sorted_thenLimitedToNothing_isNothing() {
        Order byRating = new Order("RATING", false, false);
        Order byTitle = new Order("TITLE", false, false);
        Plan sorted = Plan.of(films).orderBy(List.of(byRating, byTitle));
        assertThat(Rows.texts(engine, sorted.limit(0))).isEmpty();
        assertThat(Rows.texts(engine, sorted.skip(5).limit(0))).isEmpty();
        assertThat(Rows.texts(engine, sorted.limit(7).skip(7))).isEmpty();
        assertThat(Rows.texts(engine, sorted.limit(0).count())).containsExactly(List.of("0"));
        assertThat(Rows.texts(engine, sorted.limit(0).distinct(items("TITLE")))).isEmpty();
    }

    @Test
    void statistics_ofATable_nameTheIndexesThatWereBuilt() {
        SnapshotEngine fresh = InMemory.of(database, new Memory(Long.MAX_VALUE));
        IndexedTable table = fresh.indexed(films);
        assertThat(table.indexes()).isEmpty();
        Predicate longer = compare("LENGTH", Comparator.GREATER, 120);
        Predicate rated = compare("RATING", Comparator.EQUAL, "PG");
        Plan all = Plan.of(films);
        Rows.texts(fresh, all.where(longer).count());
        Rows.texts(fresh, all.orderBy(List.of(new Order("LENGTH", true, false))).limit(3));
        Rows.texts(fresh, all.where(compare("TITLE", Comparator.LESS, "Title 5")).count());
        Rows.texts(fresh, all.where(rated).where(longer).count());
        Rows.texts(fresh, all.where(longer).where(rated).count());
        assertThat(table.indexes())
                .extracting(BuiltIndex::columns, BuiltIndex::kind)
                .containsExactly(
                        tuple(List.of("TITLE"), BuiltIndex.Kind.TEXTS),
                        tuple(List.of("TITLE"), BuiltIndex.Kind.COUNTS),
                        tuple(List.of("LENGTH"), BuiltIndex.Kind.COUNTS),
                        tuple(List.of("LENGTH"), BuiltIndex.Kind.ORDER),
                        tuple(List.of("LENGTH", "RATING"), BuiltIndex.Kind.COMPOSITE));
        assertThat(table.indexes()).allMatch(index -> index.bytes() > 0);
    }

    @Test
    void sum_beyond64Bits_failsAndSaysSo() {
        List<Aggregate> sum = List.of(Aggregate.of(Function.SUM, "VOTES", "sum"));
        Plan plan = Plan.of(films).aggregate(List.of(), sum);
        assertThatThrownBy(() -> Rows.texts(engine, plan))
                .isInstanceOf(QueryException.class)
                .hasMessageContaining("a sum of whole numbers has 64 bits");
        Plan less = Plan.of(films).limit(1).aggregate(List.of(), sum);
        assertThat(Rows.texts(engine, less)).containsExactly(List.of("9223372036854775807"));
    }

    @Test
    void aggregates_ofNoRows_areOneRowOfNullsAndZeros() {
        Plan all = Plan.of(engine.schema().table("keyless").orElseThrow());
        Plan plan =
                all.aggregate(
                        List.of(),
                        List.of(
                                Aggregate.count("n"),
                                Aggregate.of(Function.COUNT_VALUES, "TITLE", "titles"),
                                Aggregate.of(Function.MAX, "TITLE", "last")));
        assertThat(Rows.texts(engine, plan).getFirst()).containsExactly("0", "0", null);
        assertThat(Rows.texts(engine, all.aggregate(items("TITLE"), List.of()))).isEmpty();
    }

    @Test
    void matches_isAnsweredAsInTheJvm() {
        Predicate matches = new Predicate.Matches("TITLE", "Title 77? and.*", 0);
        Plan plan = Plan.of(films).where(matches).count();
        assertThat(engine.refusal(plan)).isEmpty();
        assertThat(Rows.texts(engine, plan)).containsExactly(List.of("2"));
        assertThat(engine.superset(films, matches)).isSameAs(matches);
    }

    @Test
    void comparison_withHalfASurrogatePair_isRefusedNotFailed() {
        Predicate half = compare("TITLE", Comparator.EQUAL, "\uD83D");
        Predicate longer = compare("LENGTH", Comparator.GREATER, 60);
        Plan plan = Plan.of(films).where(half);
        assertThat(engine.refusal(plan)).isPresent();
        assertThatThrownBy(() -> engine.open(plan)).isInstanceOf(QueryException.class);
        assertThat(engine.explain(plan).notes().getFirst()).startsWith("refused: ");
        assertThat(engine.superset(films, half)).isEqualTo(Predicate.ALL);
        assertThat(engine.superset(films, new Predicate.And(List.of(longer, half))))
                .isEqualTo(new Predicate.And(List.of(longer, Predicate.ALL)));
        assertThat(engine.superset(films, new Predicate.Or(List.of(longer, half))))
                .isEqualTo(Predicate.ALL);
    }

    @Test
    void plan_thatMakesNoSense_failsAndSaysWhy() {
        Plan all = Plan.of(films);
        assertThatThrownBy(() -> engine.refusal(all.where(compare("LENGTH", Comparator.LESS, "x"))))
                .isInstanceOf(QueryException.class)
                .hasMessageContaining("column LENGTH is INT")
                .hasMessageContaining("String");
        assertThatThrownBy(() -> engine.open(all.where(new Predicate.IsNull("NONE"))))
                .hasMessageContaining("no column \"NONE\"");
        Predicate text = new Predicate.Text("LENGTH", TextOperation.CONTAINS, "1", false);
        assertThatThrownBy(() -> engine.open(all.where(text))).hasMessageContaining("as a text");
        Predicate open = new Predicate.Matches("TITLE", "(", 0);
        assertThatThrownBy(() -> engine.open(all.where(open)))
                .hasMessageContaining("no regular expression");
        Column column = new Column("n", ColumnType.INT, "int", false, 11);
        Table unknown = new Table(null, "nowhere", List.of(column), List.of(), false);
        assertThatThrownBy(() -> engine.explain(Plan.of(unknown)))
                .isInstanceOfSatisfying(
                        QueryException.class,
                        e -> assertThat(e.kind()).isEqualTo(QueryException.Kind.UNKNOWN_NAME));
    }

    @Test
    void cursor_thatIsClosedOrCancelled_failsWhenItIsReadOn() {
        Plan all = Plan.of(films);
        Cursor closed = engine.open(all);
        assertThat(closed.next()).isTrue();
        closed.close();
        closed.close();
        assertThatThrownBy(closed::next)
                .isInstanceOfSatisfying(
                        QueryException.class,
                        e -> assertThat(e.kind()).isEqualTo(QueryException.Kind.CANCELLED));
        assertThatThrownBy(() -> closed.getInt(0)).isInstanceOf(IllegalStateException.class);
        try (Cursor cancelled = engine.open(all)) {
            cancelled.cancel();
            assertThatThrownBy(cancelled::next)
                    .isInstanceOf(QueryException.class)
                    .hasMessageContaining("cancelled");
        }
        try (Cursor whole = engine.open(all.limit(1))) {
            assertThat(whole.next()).isTrue();
            assertThat(whole.next()).isFalse();
            assertThat(whole.next()).isFalse();
        }
    }

    /** Of a plan that was run before, so that its indexes are there. */
    private static List<String> notes(Plan plan) {
        Rows.texts(engine, plan);
        return engine.explain(plan).notes();
    }

    @Test
    void explain_saysWhichIndexOrScanAnswersAndHowManyRowsItTouches() {
        Plan all = Plan.of(films);
        Predicate longer = compare("LENGTH", Comparator.GREATER, 120);
        Predicate rated = compare("RATING", Comparator.EQUAL, "PG");
        Rows.texts(engine, all.where(longer).count());
        assertThat(engine.explain(all.where(longer).count()).text())
                .isEqualTo(
                        """
                        plan: rows of FILMS where LENGTH > ?: their number
                        engine: memory
                        note: no row is looked at: column LENGTH has counts of its values
                        """);
        assertThat(notes(all.where(longer).where(rated).count()))
                .containsExactly(
                        "the index of columns LENGTH, RATING is read: 69 of 153 different rows of theirs");
        assertThat(notes(all.where(longer))).containsExactly("a scan of 20,000 rows");
        assertThat(notes(all.where(compare("ID", Comparator.EQUAL, 7))))
                .containsExactly("the index of column ID is read: 1 of 20,000 rows");
        assertThat(notes(all.orderBy(List.of(new Order("LENGTH", true, false))).limit(50)))
                .containsExactly(
                        "the index of column LENGTH is read in its order: about 50 of 20,000 rows");
        List<Order> byKey = List.of(new Order("ID", false, false));
        assertThat(notes(all.where(compare("ID", Comparator.GREATER, 9)).orderBy(byKey).limit(50)))
                .containsExactly(
                        "the index of column ID is read in its order: about 50 of 20,000 rows");
        Predicate rare = compare("LENGTH", Comparator.EQUAL, 77);
        Predicate late = compare("ID", Comparator.GREATER, 18_000);
        assertThat(notes(all.where(rare).where(late).orderBy(byKey).limit(20)).toString())
                .contains("the index of column LENGTH is read", "what passes is sorted");
        Plan nested = all.limit(50).where(longer);
        assertThat(notes(nested))
                .containsExactly(
                        "50 rows are read",
                        "the rows that come of that are read by the rest of the plan");
        assertThat(notes(all.skip(19_990).limit(50))).containsExactly("10 rows are read");
        assertThat(notes(all.where(longer).limit(50)))
                .containsExactly("a scan of 20,000 rows, or until there are enough");
        assertThat(notes(Plan.of(engine.schema().table("keyless").orElseThrow()).limit(5)))
                .contains("table KEYLESS has no key: slices are not repeatable");
    }

    @Test
    void explain_ofAnyPlan_buildsNothingAndSaysWhatWouldBeBuilt() {
        Memory memory = new Memory(Long.MAX_VALUE);
        List<Plan> plans = new ArrayList<>(indexed());
        plans.addAll(ofTexts());
        for (Plan plan : plans) {
            SnapshotEngine fresh = InMemory.of(database, new Memory(Long.MAX_VALUE), memory);
            long used = memory.used();
            List<String> before = fresh.explain(plan).notes();
            assertThat(fresh.explain(plan).notes()).isEqualTo(before);
            assertThat(fresh.indexed(films).indexes()).as(plan.toString()).isEmpty();
            assertThat(memory.used()).isLessThanOrEqualTo(used);
            Rows.texts(fresh, plan);
            List<String> after = fresh.explain(plan).notes();
            boolean builds = before.stream().anyMatch(note -> note.startsWith("built first, once"));
            assertThat(builds)
                    .as("%s: %s", plan, before)
                    .isEqualTo(!fresh.indexed(films).indexes().isEmpty());
            assertThat(after).noneMatch(note -> note.startsWith("built first, once"));
            // How many texts compare so is known only by their order.
            if (!before.toString().contains("the order of the texts")
                    && !before.toString().contains("index of columns")) {
                assertThat(before).as(plan.toString()).containsAll(after);
            }
        }
    }

    @Test
    void explain_beforeAnIndexIsThere_saysThatItWouldBeBuilt() {
        SnapshotEngine fresh = InMemory.of(database, new Memory(Long.MAX_VALUE));
        Plan all = Plan.of(films);
        Predicate longer = compare("LENGTH", Comparator.GREATER, 120);
        Predicate rated = compare("RATING", Comparator.EQUAL, "PG");
        assertThat(fresh.explain(all.where(longer).count()).notes())
                .containsExactly(
                        "no row is looked at: column LENGTH has counts of its values",
                        "built first, once: counts of the values of column LENGTH");
        assertThat(fresh.explain(all.where(longer).where(rated).count()).notes())
                .startsWith("the index of columns LENGTH, RATING is read")
                .contains("built first, once: the index of columns LENGTH, RATING");
        assertThat(
                        fresh.explain(
                                        all.orderBy(List.of(new Order("LENGTH", true, false)))
                                                .limit(50))
                                .notes())
                .containsExactly(
                        "the index of column LENGTH is read in its order: about 50 of 20,000 rows",
                        "built first, once: the index of column LENGTH");
        assertThat(fresh.explain(all.where(compare("TITLE", Comparator.LESS, "T")).count()).notes())
                .contains("built first, once: the order of the texts of column TITLE");
        assertThat(fresh.indexed(films).indexes()).isEmpty();
    }

    /** A part of a film. */
    private record Titled(String title) {
        static final TextField<Titled> TITLE =
                TextField.nullable(Titled.class, "title", Titled::title);
        static final Entity<Titled> TABLE =
                Entity.of(
                        Titled.class,
                        "films",
                        row -> new Titled(row.getString(0)),
                        List.of(TITLE),
                        List.of());
    }

    @Test
    void countOfAStart_withoutMemoryForTheOrderOfTexts_isTheSame() {
        SnapshotEngine bare = InMemory.of(database, new Memory(Long.MAX_VALUE), new Memory(40_000));
        long expected =
                TypedTable.of(database, Titled.TABLE).stream()
                        .filter(Titled.TITLE.startsWith("Title 12"))
                        .count();
        assertThat(expected).isPositive();
        for (SnapshotEngine each : List.of(engine, bare)) {
            assertThat(
                            TypedTable.of(each, Titled.TABLE).stream()
                                    .filter(Titled.TITLE.startsWith("Title 12"))
                                    .count())
                    .isEqualTo(expected);
        }
    }
}
