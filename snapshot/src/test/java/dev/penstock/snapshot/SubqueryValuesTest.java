package dev.penstock.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.Aggregate;
import dev.penstock.query.Expression;
import dev.penstock.query.Plan;
import dev.penstock.query.Predicate;
import dev.penstock.query.QueryException;
import dev.penstock.query.Table;
import dev.penstock.query.sql.Database;
import dev.penstock.query.sql.Rows;
import dev.penstock.snapshot.aggregate.QueryResult;
import dev.penstock.snapshot.aggregate.ResultColumn;
import dev.penstock.snapshot.execute.Execution;
import dev.penstock.snapshot.index.IndexedTable;
import dev.penstock.snapshot.memory.Memory;
import dev.penstock.snapshot.work.QueryContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The values of subqueries in memory: those that no Java type holds, what they take of the heap, and cancelling. */
class SubqueryValuesTest {
    private static final Memory MEMORY = new Memory(Long.MAX_VALUE);

    private static Plan lookedUp(Table outer, String column, Table inner, String value) {
        Plan values = Plan.of(inner).select(List.of(new Plan.Item(value, "v")));
        return Plan.of(outer).where(new Predicate.InSubquery(column, values));
    }

    /** Each value is written to two tables; the last one only to the second. */
    @ParameterizedTest
    @CsvSource({
        "POSTGRESQL, numeric, numeric, NaN, 1.5, 2.25",
        "POSTGRESQL, 'numeric(9,2)', numeric, NaN, 1.5, 2.25",
        "POSTGRESQL, 'numeric(9,2)', 'numeric(9,3)', 7, 1.5, 2.25",
        "POSTGRESQL, date, date, infinity, 2026-01-01, 2026-02-01",
        "POSTGRESQL, timestamp(0), timestamp(6), infinity, 2026-01-01, 2026-02-01 10:00:00.5",
        "POSTGRESQL, time(0), time(6), 24:00:00, 10:00:00, 10:00:00.5",
        "MARIADB, date, date, 0000-00-00, 2026-02-28, 2026-02-31",
        "MARIADB, datetime, datetime(3), 0000-00-00 00:00:00, 2026-01-01, 2026-02-01 10:00:00.5",
        "MARIADB, time, time(3), 838:59:59, 10:00:00, 10:00:00.5"
    })
    void in_valuesThatNoJavaTypeHolds_meansWhatItMeansInTheDatabase(
            Kind kind, String type, String other, String odd, String both, String one) {
        try (TestDatabase server = TestDatabase.create(kind)) {
            server.execute(
                    kind == Kind.MARIADB ? "set sql_mode = 'ALLOW_INVALID_DATES'" : "select 1",
                    "create table a (id int primary key, x %s)".formatted(type),
                    "create table b (id int primary key, x %s)".formatted(other),
                    "create table c (id int primary key, x %s)".formatted(other),
                    "insert into a values (1, '%s'), (2, '%s'), (3, null)".formatted(odd, both),
                    "insert into b values (1, '%s'), (2, '%s'), (3, '%s'), (4, null)"
                            .formatted(odd, both, one),
                    "insert into c values (1, '%s'), (2, '%s')".formatted(both, one));
            Database database = Database.connect(server.dataSource());
            SnapshotEngine memory = InMemory.of(database, MEMORY);
            for (String outer : List.of("a", "b", "c")) {
                for (String inner : List.of("a", "b", "c")) {
                    Table table = database.table(outer);
                    Plan in = lookedUp(table, "x", database.table(inner), "x");
                    Plan notIn = Plan.of(table).where(new Predicate.Not(in.filter()));
                    for (Plan plan : List.of(in, notIn)) {
                        List<Plan.Item> id = List.of(new Plan.Item("id", "id"));
                        assertThat(Rows.texts(memory, plan.select(id)))
                                .as("%s", plan)
                                .containsExactlyInAnyOrderElementsOf(
                                        Rows.texts(database, plan.select(id)));
                    }
                }
            }
        }
    }

    /** Two tables of so many whole numbers and so many decimals, of which every other one is in the second table. */
    private static TestDatabase numbers(int rows) {
        TestDatabase server = TestDatabase.create(Kind.H2);
        server.execute(
                "create table a (id int primary key, n int, x numeric(12,2))"
                        + " as select x, x, x from system_range(1, "
                        + rows
                        + ")",
                "create table b (id int primary key, n int, x numeric(12,3))"
                        + " as select x, 2 * x, 2 * x from system_range(1, "
                        + rows
                        + ")");
        return server;
    }

    private static QueryResult answer(
            Plan plan, Function<Table, IndexedTable> tables, QueryContext context) {
        return new Execution(tables, MEMORY, context).answer(plan);
    }

    @Test
    void answer_cancelledWhileValuesBecomeOtherCodes_ends() {
        try (TestDatabase server = numbers(5000)) {
            Database database = Database.connect(server.dataSource());
            SnapshotEngine memory = InMemory.of(database, MEMORY);
            Table a = database.table("A");
            QueryContext context = new QueryContext();
            Function<Table, IndexedTable> tables =
                    table -> {
                        // The values are there when the other table is asked for.
                        if (table.equals(a)) {
                            context.tell();
                        }
                        return memory.indexed(table);
                    };
            Plan plan = lookedUp(a, "X", database.table("B"), "X");
            assertThatThrownBy(() -> answer(plan, tables, context))
                    .isInstanceOf(QueryException.class)
                    .hasMessage("the query in memory was cancelled");
        }
    }

    /** More rows than one thread scans, and what is no condition on codes, so that each part has its own filter. */
    @ParameterizedTest
    @CsvSource({
        "n, false, false",
        "x, false, false",
        "n, true, false",
        "x, true, false",
        "n, false, true",
        "x, false, true",
        "n, true, true",
        "x, true, true"
    })
    void answer_ofSeveralThreads_countsCodesOnce(String column, boolean isFiltered, boolean isNot) {
        int rows = 400_000;
        try (TestDatabase server = TestDatabase.create(Kind.H2)) {
            // No column is in the order of its rows, so that there is no index before one asks
            // twice.
            server.execute(
                    "create table a (id int primary key, n int, x numeric(12,2))"
                            + " as select x, mod(x * 7919, 1000003), mod(x * 7919, 1000003)"
                            + " from system_range(1, "
                            + rows
                            + ")",
                    "create table b (n int, x numeric(12,3))"
                            + " as select n, x from a where mod(n, 2) = 0");
            Database database = Database.connect(server.dataSource());
            Table a = database.table("A");
            Table b = database.table("B");
            String name = column.toUpperCase(Locale.ROOT);
            Predicate in = lookedUp(a, name, b, name).filter();
            Predicate asked = isNot ? new Predicate.Not(in) : in;
            Predicate byRow =
                    new Predicate.Relation(
                            new Expression.Arithmetic(
                                    Expression.Operator.PLUS,
                                    new Expression.ColumnValue("ID"),
                                    new Expression.ColumnValue("N")),
                            Predicate.Comparator.GREATER,
                            new Expression.Literal(0L));
            Aggregate count =
                    new Aggregate(Aggregate.Function.COUNT, null, isFiltered ? asked : null, "n");
            Plan plan =
                    Plan.of(a)
                            .where(isFiltered ? byRow : Predicate.and(asked, byRow))
                            .aggregate(List.of(), List.of(count));
            long even =
                    Long.parseLong(Rows.texts(database, Plan.of(b).count()).getFirst().getFirst());
            long expected = isNot ? rows - even : even;
            List<Long> taken = new ArrayList<>();
            for (boolean isParallel : new boolean[] {false, true}) {
                SnapshotEngine memory = InMemory.of(database, MEMORY);
                try (QueryContext context = new QueryContext(isParallel)) {
                    assertThat(number(answer(plan, memory::indexed, context))).isEqualTo(expected);
                    taken.add(context.reservation().taken());
                }
            }
            // Sets of codes take megabytes; what each part keeps of its group, some bytes.
            assertThat(taken.getFirst()).isGreaterThan(1_000_000);
            assertThat(taken.getLast() - taken.getFirst()).isLessThan(100_000);
        }
    }

    private static long number(QueryResult answer) {
        int[] rows = new int[1];
        assertThat(answer.rows().next(rows)).isEqualTo(1);
        ResultColumn column = answer.cells().getFirst();
        return (Long) Objects.requireNonNull(column.reader().value(column.cell(rows[0])));
    }

    @ParameterizedTest
    @CsvSource({"N, 1", "X, 1", "N, 100000", "X, 100000"})
    void answer_ofASubquery_countsWhatItsCodesKeepAndNoMore(String column, int rows) {
        try (TestDatabase server = numbers(rows)) {
            Database database = Database.connect(server.dataSource());
            SnapshotEngine memory = InMemory.of(database, MEMORY);
            try (QueryContext context = new QueryContext()) {
                Plan plan = lookedUp(database.table("A"), column, database.table("B"), column);
                QueryResult answer = answer(plan, memory::indexed, context);
                int[] some = new int[4096];
                int found = 0;
                for (int n = answer.rows().next(some); n > 0; n = answer.rows().next(some)) {
                    found += n;
                }
                assertThat(found).isEqualTo(rows / 2);
                // The values and those of them that the other column may have: two longs each, and
                // bits.
                assertThat(context.reservation().taken())
                        .isBetween(16L * rows / 2, 2 * (16L + 8) * rows + 1000);
            }
        }
    }

    /** What a table lacks of which only a part is in memory is found out for a plan as a whole. */
    @Test
    void superset_ofASubqueryWithinAnother_isThatConditionItself() {
        try (TestDatabase server = numbers(10)) {
            Database database = Database.connect(server.dataSource());
            Table b = database.table("B");
            Predicate few = new Predicate.Comparison("ID", Predicate.Comparator.LESS, 5);
            SnapshotEngine memory = InMemory.of(database, b, Set.of("X"), few);
            Predicate in = lookedUp(b, "ID", b, "N").filter();
            for (Predicate condition :
                    List.of(
                            in,
                            new Predicate.Not(in),
                            new Predicate.SqlNot(in),
                            new Predicate.Not(new Predicate.Not(in)),
                            new Predicate.And(List.of(in, few)),
                            new Predicate.Or(List.of(few, new Predicate.Not(in))))) {
                assertThat(memory.superset(b, condition)).isEqualTo(condition);
            }
        }
    }
}
