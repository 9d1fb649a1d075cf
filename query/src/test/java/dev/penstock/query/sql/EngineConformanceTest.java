package dev.penstock.query.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.Aggregate;
import dev.penstock.query.Aggregate.Function;
import dev.penstock.query.Expression;
import dev.penstock.query.Plan;
import dev.penstock.query.Plan.Item;
import dev.penstock.query.Predicate;
import dev.penstock.query.Predicate.Comparator;
import dev.penstock.query.Predicate.TextOperation;
import dev.penstock.query.QueryException;
import dev.penstock.query.Table;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests of what engines refuse, widen and explain, and of a sum at its end; the same on every database. */
class EngineConformanceTest {
    private static TestDatabase films(Kind kind) {
        TestDatabase server = TestDatabase.create(kind);
        server.execute(
                "create table films (id int primary key, title varchar(50), length int, votes bigint)",
                "create table keyless (title varchar(50) not null)",
                "insert into films values (1, 'ACADEMY', 86, 9223372036854775807), (2, 'ACE', 48, 1), (3, 'ace x', 50, 2),"
                        + " (4, null, null, null)");
        return server;
    }

    private static String column(Table table, int index) {
        return table.columns().get(index).name();
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void sum_beyond64Bits_failsAndSaysSo(Kind kind) {
        try (TestDatabase server = films(kind)) {
            Database database = Database.connect(server.pooled());
            Plan all = Plan.of(database.table("films"));
            String votes = column(all.table(), 3);
            List<Aggregate> sum = List.of(Aggregate.of(Function.SUM, votes, "sum"));
            Plan plan = all.aggregate(List.of(), sum);
            assertThatThrownBy(() -> Rows.texts(database, plan))
                    .isInstanceOf(QueryException.class)
                    .hasMessageContaining("a sum of whole numbers has 64 bits");
            Predicate few = new Predicate.Comparison(votes, Comparator.LESS, 10L);
            Plan less = all.where(few).aggregate(List.of(), sum);
            assertThat(Rows.texts(database, less)).containsExactly(List.of("3"));
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aggregates_ofNoRows_areOneRowOfNullsAndZeros(Kind kind) {
        try (TestDatabase server = films(kind)) {
            Database database = Database.connect(server.pooled());
            Plan all = Plan.of(database.table("keyless"));
            String title = column(all.table(), 0);
            Plan plan =
                    all.aggregate(
                            List.of(),
                            List.of(
                                    Aggregate.count("n"),
                                    Aggregate.of(Function.COUNT_VALUES, title, "titles"),
                                    Aggregate.of(Function.MAX, title, "last")));
            List<List<String>> rows = Rows.texts(database, plan);
            assertThat(rows).hasSize(1);
            assertThat(rows.getFirst()).containsExactly("0", "0", null);
            Item item = new Item(title, "t");
            assertThat(Rows.texts(database, all.aggregate(List.of(item), List.of()))).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void refusal_ofARegularExpression_hasASupersetByItsStart(Kind kind) {
        try (TestDatabase server = films(kind)) {
            Database database = Database.connect(server.pooled());
            Table table = database.table("films");
            String title = column(table, 1);
            Predicate matches = new Predicate.Matches(title, "ACE?.*", 0);
            Predicate longer = new Predicate.Comparison(column(table, 2), Comparator.GREATER, 60);
            Plan plan = Plan.of(table).where(matches);
            assertThat(database.refusal(plan).orElseThrow()).contains("regular expression");
            assertThatThrownBy(() -> database.open(plan)).isInstanceOf(QueryException.class);
            assertThat(database.explain(plan).notes().getFirst()).startsWith("refused: ");
            Predicate start = new Predicate.Text(title, TextOperation.STARTS_WITH, "AC", false);
            assertThat(database.superset(table, matches)).isEqualTo(start);
            assertThat(database.superset(table, new Predicate.Not(matches)))
                    .isEqualTo(Predicate.ALL);
            assertThat(database.superset(table, new Predicate.And(List.of(longer, matches))))
                    .isEqualTo(new Predicate.And(List.of(longer, start)));
            assertThat(database.superset(table, new Predicate.Or(List.of(longer, matches))))
                    .isEqualTo(new Predicate.Or(List.of(longer, start)));
            Predicate anyCase = new Predicate.Matches(title, "ACE", Pattern.CASE_INSENSITIVE);
            assertThat(database.superset(table, anyCase)).isEqualTo(Predicate.ALL);
            assertThat(database.superset(table, longer)).isSameAs(longer);
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void comparison_withTextThatNoDatabaseHolds_isRefusedNotFailed(Kind kind) {
        try (TestDatabase server = films(kind)) {
            Database database = Database.connect(server.pooled());
            Table table = database.table("films");
            Predicate half = new Predicate.Comparison(column(table, 1), Comparator.EQUAL, "\uD83D");
            assertThat(database.refusal(Plan.of(table).where(half))).isPresent();
            assertThat(database.superset(table, half)).isEqualTo(Predicate.ALL);
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void explain_ofASlicedTableWithoutKey_saysThatItsSlicesAreNotRepeatable(Kind kind) {
        try (TestDatabase server = films(kind)) {
            Database database = Database.connect(server.pooled());
            Table table = database.table("keyless");
            assertThat(database.explain(Plan.of(table).limit(5)).notes())
                    .singleElement()
                    .asString()
                    .isEqualToIgnoringCase("table keyless has no key: slices are not repeatable");
            assertThat(database.explain(Plan.of(table)).notes()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void plan_nestedAndCalculating_answersWhatAListDoes(Kind kind) {
        try (TestDatabase server = films(kind)) {
            Database database = Database.connect(server.pooled());
            Table table = database.table("films");
            String id = column(table, 0);
            String length = column(table, 2);
            Expression twice =
                    new Expression.Arithmetic(
                            Expression.Operator.TIMES,
                            new Expression.ColumnValue(length),
                            new Expression.Literal(2));
            Plan plan =
                    Plan.of(table)
                            .orderBy(List.of(new Plan.Order(length, true, false)))
                            .limit(3)
                            .where(
                                    new Predicate.Relation(
                                            twice, Comparator.LESS, new Expression.Literal(101L)))
                            .select(List.of(new Item(id, "id")));
            assertThat(Rows.texts(database, plan)).containsExactly(List.of("3"), List.of("2"));
        }
    }

    @Test
    void explain_ofACount_isOneSelectWithNothingButPlaceholders() {
        try (TestDatabase server = films(Kind.POSTGRESQL)) {
            Database database = Database.connect(server.pooled());
            Table table = database.table("films");
            Plan plan =
                    Plan.of(table)
                            .where(new Predicate.Comparison("length", Comparator.GREATER, 60))
                            .count();
            assertThat(database.explain(plan).text())
                    .isEqualTo(
                            """
                            plan: rows of films where length > ?: their number
                            engine: PostgreSQL
                            SQL: SELECT COUNT(*) FROM "public"."films" t WHERE t."length" > ?::int4
                            """);
        }
    }

    @Test
    void postgreSql_smallAnswer_isOneStatementWithoutATransaction() {
        try (TestDatabase server = films(Kind.POSTGRESQL)) {
            RecordingDataSource source = new RecordingDataSource(server.dataSource());
            Database database = Database.connect(source);
            Plan all = Plan.of(database.table("films"));
            Predicate key = new Predicate.Comparison("id", Comparator.EQUAL, 2);
            List<Plan> small =
                    List.of(
                            all.count(),
                            all.where(key),
                            all.limit(2),
                            all.aggregate(
                                    List.of(), List.of(Aggregate.of(Function.MIN, "id", "m"))));
            for (Plan plan : small) {
                source.calls.clear();
                assertThat(Rows.texts(database, plan)).isNotEmpty();
                assertThat(source.calls)
                        .containsExactly(
                                "statement.executeQuery",
                                "rows.close",
                                "statement.close",
                                "connection.close");
            }
            source.calls.clear();
            assertThat(Rows.texts(database, all.limit(100_000))).hasSize(4);
            assertThat(source.calls).doesNotContain("statement.executeQuery");
            assertThat(source.open).isEmpty();
        }
    }

    @Test
    void plans_ofOneShape_shareTheirSqlAndNotTheirValues() {
        try (TestDatabase server = films(Kind.H2)) {
            Database database = Database.connect(server.pooled());
            Table table = database.table("films");
            for (int i = 0; i < 100; i++) {
                Plan plan =
                        Plan.of(table)
                                .where(new Predicate.Comparison("ID", Comparator.GREATER, i))
                                .limit(1 + i % 2)
                                .count();
                int more = Math.max(0, 4 - i);
                assertThat(Rows.texts(database, plan))
                        .containsExactly(List.of(Integer.toString(Math.min(more, 1 + i % 2))));
            }
        }
    }
}
