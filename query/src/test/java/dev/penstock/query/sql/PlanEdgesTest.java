package dev.penstock.query.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.Aggregate;
import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import dev.penstock.query.Cursor;
import dev.penstock.query.Expression;
import dev.penstock.query.Plan;
import dev.penstock.query.Predicate;
import dev.penstock.query.QueryException;
import dev.penstock.query.Table;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.TimeZone;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Plans and tables at the edge of what databases take. */
class PlanEdgesTest {
    @ParameterizedTest
    @EnumSource(Kind.class)
    void in_withFiveThousandValues_findsTheirRows(Kind kind) {
        try (TestDatabase server = TestDatabase.create(kind)) {
            server.execute(
                    "create table many (n int primary key, s varchar(10))",
                    "insert into many values (1, '1'), (4999, '4999'), (7000, '7000')");
            Database database = Database.connect(server.pooled());
            Table table = database.table("many");
            List<Object> numbers = new ArrayList<>();
            List<Object> texts = new ArrayList<>();
            for (int i = 0; i < 5000; i++) {
                numbers.add(i);
                texts.add(Integer.toString(i));
            }
            String n = table.columns().get(0).name();
            String s = table.columns().get(1).name();
            Plan byNumber = Plan.of(table).where(new Predicate.In(n, numbers)).count();
            Plan byText = Plan.of(table).where(new Predicate.In(s, texts)).count();
            assertThat(Rows.texts(database, byNumber)).containsExactly(List.of("2"));
            assertThat(Rows.texts(database, byText)).containsExactly(List.of("2"));
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void next_afterAFailure_failsAgain(Kind kind) {
        try (TestDatabase server = TestDatabase.create(kind)) {
            server.execute("create table gone (n int primary key)");
            Database database = Database.connect(server.pooled());
            Table table = database.table("gone");
            server.execute("drop table gone");
            try (Cursor cursor = database.open(Plan.of(table))) {
                QueryException first = assertThrows(QueryException.class, cursor::next);
                QueryException again = assertThrows(QueryException.class, cursor::next);
                assertThat(first.kind()).isEqualTo(QueryException.Kind.DATABASE);
                assertThat(again).isSameAs(first);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void relation_toValuesOfSeveralTypes_answersEachAsIfItWereTheFirst(Kind kind) {
        try (TestDatabase server = TestDatabase.create(kind)) {
            server.execute(
                    "create table prices (id int primary key, price decimal(5,2) not null)",
                    "insert into prices values (1, 1), (2, 1.5), (3, 2)");
            Database database = Database.connect(server.pooled());
            Table table = database.table("prices");
            BigDecimal fraction = new BigDecimal("1.5");
            for (int round = 0; round < 2; round++) {
                assertThat(idsWhere(database, table, "price", 1)).containsExactly("1");
                assertThat(idsWhere(database, table, "price", fraction)).containsExactly("2");
                assertThat(idsWhere(database, table, "price", fraction)).containsExactly("2");
                assertThat(idsWhere(database, table, "price", 2L)).containsExactly("3");
                assertThat(idsWhere(database, table, "id", 2)).containsExactly("2");
                assertThat(idsWhere(database, table, "id", fraction)).isEmpty();
                assertThat(idsWhere(database, table, "id", 3L)).containsExactly("3");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void query_whereNumbersHaveDigitsOfTheirOwn_runsAllTheSame(Kind kind) {
        Locale before = Locale.getDefault();
        try (TestDatabase server = TestDatabase.create(kind)) {
            String text =
                    kind == Kind.MARIADB || kind == Kind.MYSQL ? "longtext" : "varchar(200000)";
            String wide = "x".repeat(200_000);
            server.execute(
                    "create table prices (id int primary key, price decimal(5,2), name "
                            + text
                            + ")",
                    "insert into prices values (1, 1, 'a'), (2, 1.5, '" + wide + "')");
            Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
            assertThat("%d".formatted(12)).isNotEqualTo("12");
            Database database = Database.connect(server.pooled());
            Table table = database.table("prices");
            String price = table.columns().get(1).name();
            Predicate sum =
                    new Predicate.Relation(
                            new Expression.Arithmetic(
                                    Expression.Operator.PLUS,
                                    new Expression.ColumnValue(price),
                                    new Expression.Literal(new BigDecimal("0.25"))),
                            Predicate.Comparator.EQUAL,
                            new Expression.Literal(new BigDecimal("1.75")));
            assertThat(Rows.texts(database, Plan.of(table).where(sum).count()))
                    .containsExactly(List.of("1"));
            assertThat(Rows.texts(database, Plan.of(table)))
                    .containsExactlyInAnyOrder(
                            List.of("1", "1.00", "a"), List.of("2", "1.50", wide));
        } finally {
            Locale.setDefault(before);
        }
    }

    /** The first column of the rows in which a column equals a value, as calculated numbers are compared. */
    private static List<String> idsWhere(
            Database database, Table table, String column, Object value) {
        String name = database.schema().column(table, column).orElseThrow().name();
        Predicate equal =
                new Predicate.Relation(
                        new Expression.ColumnValue(name),
                        Predicate.Comparator.EQUAL,
                        new Expression.Literal(value));
        return Rows.texts(database, Plan.of(table).where(equal)).stream()
                .map(List::getFirst)
                .toList();
    }

    @Test
    void explain_ofAnUnknownTable_saysSo() {
        try (TestDatabase server = TestDatabase.create(Kind.H2)) {
            Database database = Database.connect(server.pooled());
            Column column = new Column("n", ColumnType.INT, "int", false, 11);
            Table unknown = new Table(null, "nowhere", List.of(column), List.of(), false);
            QueryException failure =
                    assertThrows(QueryException.class, () -> database.explain(Plan.of(unknown)));
            assertThat(failure.kind()).isEqualTo(QueryException.Kind.UNKNOWN_NAME);
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void getDouble_ofAFloat_isThatFloatWidened(Kind kind) {
        try (TestDatabase server = TestDatabase.create(kind)) {
            String type = kind == Kind.MARIADB || kind == Kind.MYSQL ? "float" : "real";
            server.execute(
                    "create table floats (id int primary key, f " + type + ")",
                    "insert into floats values (1, 0.1)");
            Database database = Database.connect(server.pooled());
            // The first time a batch at a time, then at once.
            for (int i = 0; i < 3; i++) {
                try (Cursor cursor = database.open(Plan.of(database.table("floats")))) {
                    assertThat(cursor.next()).isTrue();
                    assertThat(cursor.getDouble(1)).isEqualTo((double) 0.1f);
                    assertThat(cursor.getFloat(1)).isEqualTo(0.1f);
                    assertThat(cursor.next()).isFalse();
                }
            }
        }
    }

    @Test
    void primaryKey_thatIncludesColumns_isOnlyWhatIsUnique() {
        try (TestDatabase server = TestDatabase.create(Kind.POSTGRESQL)) {
            server.execute(
                    "create table covered (payload text, b int, a int, primary key (a, b) include (payload))");
            Database database = Database.connect(server.pooled());
            assertThat(database.table("covered").primaryKey()).containsExactly("a", "b");
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"MARIADB", "MYSQL"})
    void numbers_thatAreZeroFilled_haveNoZeros(Kind kind) {
        try (TestDatabase server = TestDatabase.create(kind)) {
            server.execute(
                    "create table filled (a decimal(8,2) zerofill, b bigint unsigned zerofill, c int zerofill)",
                    "insert into filled values (1.5, 18446744073709551615, 7), (0, 12, 0)");
            Database database = Database.connect(server.pooled());
            assertThat(Rows.texts(database, Plan.of(database.table("filled"))))
                    .containsExactly(
                            List.of("1.50", "18446744073709551615", "7"),
                            List.of("0.00", "12", "0"));
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"MARIADB", "MYSQL"})
    void isNull_ofTheDayZero_isFalse(Kind kind) {
        try (TestDatabase server = TestDatabase.create(kind)) {
            server.execute(
                    "set sql_mode = ''",
                    "create table days (d date not null, e date)",
                    "insert into days values ('0000-00-00', '0000-00-00'), ('2026-11-22', null)");
            Database database = Database.connect(server.pooled());
            Plan plan = Plan.of(database.table("days"));
            assertThat(Rows.texts(database, plan.where(new Predicate.IsNull("d")).count()))
                    .containsExactly(List.of("0"));
            assertThat(Rows.texts(database, plan.where(new Predicate.IsNull("e")).count()))
                    .containsExactly(List.of("1"));
            Predicate not = new Predicate.Not(new Predicate.IsNull("d"));
            assertThat(Rows.texts(database, plan.where(not).count())).containsExactly(List.of("2"));
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void instants_distinctOrGrouped_areFoundAgain(Kind kind) {
        try (TestDatabase server = TestDatabase.create(kind)) {
            boolean isMariaDb = kind == Kind.MARIADB || kind == Kind.MYSQL;
            String type = isMariaDb ? "timestamp(6)" : "timestamp(6) with time zone";
            String zone = isMariaDb ? "" : "+00:00";
            server.execute(
                    isMariaDb ? "set time_zone = '+00:00'" : "set time zone 'UTC'",
                    "create table moments (n int primary key, at " + type + " null)",
                    "insert into moments values (1, '2026-11-22 12:00:00.000001" + zone + "')",
                    "insert into moments values (2, '2026-11-22 12:00:00.000001" + zone + "')",
                    "insert into moments values (3, '2026-11-22 12:00:00" + zone + "')",
                    "insert into moments values (4, null)");
            Instant noon = Instant.parse("2026-11-22T12:00:00.000001Z");
            Database database = Database.connect(server.pooled());
            Table table = database.table("moments");
            String at = table.columns().get(1).name();
            Plan distinct = Plan.of(table).distinct(List.of(new Plan.Item(at, "at")));
            Plan grouped =
                    Plan.of(table)
                            .aggregate(
                                    List.of(new Plan.Item(at, "at")),
                                    List.of(Aggregate.count("n")));
            for (Plan plan : List.of(distinct, grouped)) {
                Plan since =
                        plan.where(
                                new Predicate.Comparison(
                                        "at", Predicate.Comparator.GREATER_OR_EQUAL, noon));
                assertThat(Rows.texts(database, since))
                        .as(since.toString())
                        .singleElement()
                        .satisfies(row ->
                                assertThat(row.getFirst())
                                        .isEqualTo("2026-11-22T12:00:00.000001Z"));
            }
        }
    }

    /** Only PostgreSQL has decimals that are equal and yet differ: in their scale. */
    @ParameterizedTest
    @ValueSource(strings = {"numeric", "amount"})
    void decimals_thatDifferInScaleAlone_areDistinctAndHaveTheirPlaces(String type) {
        try (TestDatabase server = TestDatabase.create(Kind.POSTGRESQL)) {
            server.execute(
                    "create domain amount as numeric",
                    "create table sums (n int primary key, x %s)".formatted(type),
                    "insert into sums values (1, 2.00), (2, 1.50), (3, 2), (4, 1.5), (5, 2.0), (6, 1.50), (7, null)");
            Database database = Database.connect(server.pooled());
            Plan rows = Plan.of(database.table("sums"));
            List<Plan.Item> items = List.of(new Plan.Item("x", "x"));
            List<Plan.Order> order = List.of(new Plan.Order("x", false, true));
            List<String> byFirstOccurrence = Arrays.asList(null, "1.50", "1.5", "2.00", "2", "2.0");
            assertThat(firsts(database, rows.orderBy(order).distinct(items)))
                    .isEqualTo(byFirstOccurrence);
            Plan grouped = rows.aggregate(items, List.of(Aggregate.count("n")));
            assertThat(firsts(database, grouped))
                    .containsExactlyInAnyOrderElementsOf(byFirstOccurrence);
            for (Plan plan : List.of(rows.distinct(items), grouped)) {
                Plan sorted = plan.orderBy(order);
                List<String> whole = firsts(database, sorted);
                assertThat(whole).containsExactly(null, "1.5", "1.50", "2", "2.0", "2.00");
                for (int i = 0; i < whole.size(); i++) {
                    assertThat(firsts(database, sorted.limit(i + 1).skip(i)))
                            .isEqualTo(whole.subList(i, i + 1));
                    assertThat(firsts(database, Plan.of(sorted.limit(i + 1)).distinct(items)))
                            .isEqualTo(whole.subList(0, i + 1));
                }
            }
        }
    }

    private static List<String> firsts(Database database, Plan plan) {
        return Rows.texts(database, plan).stream().map(List::getFirst).toList();
    }

    /**
     * Days that are none, and times that the clocks of some zone leave out, in whatever way the driver is told to read
     * them.
     */
    @ParameterizedTest
    @ValueSource(strings = {"", "useServerPrepStmts=true", "timezone=disable"})
    void daysAndTimes_ofMariaDb_areThoseOfTheServer(String option) {
        TimeZone before = TimeZone.getDefault();
        try (TestDatabase server = TestDatabase.create(Kind.MARIADB)) {
            server.execute(
                    "set time_zone = '+00:00'",
                    "create table days (n int primary key, d date, t datetime, m datetime(3), i timestamp null)",
                    "insert into days values (1, '2026-00-15', '0000-01-01 00:00:00', '2026-03-08 02:30:00.5', '2026-03-08 02:30:00')",
                    "insert into days values (2, '0000-01-01', '2026-03-08 02:30:00', '0000-01-01 00:00:00', null)");
            TimeZone.setDefault(TimeZone.getTimeZone("America/New_York"));
            String url = server.url() + (server.url().contains("?") ? "&" : "?") + option;
            Database database =
                    Database.connect(new UrlDataSource(url, server.user(), server.password()));
            assertThat(Rows.texts(database, Plan.of(database.table("days"))))
                    .containsExactly(
                            List.of(
                                    "1",
                                    "2026-00-15",
                                    "0000-01-01T00:00:00",
                                    "2026-03-08T02:30:00.5",
                                    "2026-03-08T02:30:00Z"),
                            Arrays.asList(
                                    "2",
                                    "0000-01-01",
                                    "2026-03-08T02:30:00",
                                    "0000-01-01T00:00:00",
                                    null));
        } finally {
            TimeZone.setDefault(before);
        }
    }
}
