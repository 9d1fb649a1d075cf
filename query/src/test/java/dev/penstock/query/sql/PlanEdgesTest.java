package dev.penstock.query.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.Aggregate;
import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import dev.penstock.query.Cursor;
import dev.penstock.query.Plan;
import dev.penstock.query.Predicate;
import dev.penstock.query.QueryException;
import dev.penstock.query.Table;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Plans and tables at the edge of what databases take. */
class PlanEdgesTest {
    @ParameterizedTest
    @EnumSource(Kind.class)
    void in_withFiveThousandValues_findsTheirRows(Kind kind) {
        try (TestDatabase server = TestDatabase.create(kind)) {
            server.execute(
                    "create table many (n int primary key, s varchar(10))",
                    "insert into many values (1, '1'), (4999, '4999'), (7000, '7000')");
            Database database = Database.connect(server.dataSource());
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
            Database database = Database.connect(server.dataSource());
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

    @Test
    void explain_ofAnUnknownTable_saysSo() {
        try (TestDatabase server = TestDatabase.create(Kind.H2)) {
            Database database = Database.connect(server.dataSource());
            Column column = new Column("n", ColumnType.INT, "int", false, 11);
            Table unknown = new Table(null, "nowhere", List.of(column), List.of(), false);
            QueryException failure =
                    assertThrows(QueryException.class, () -> database.explain(Plan.of(unknown)));
            assertThat(failure.kind()).isEqualTo(QueryException.Kind.UNKNOWN_NAME);
        }
    }

    @Test
    void primaryKey_thatIncludesColumns_isOnlyWhatIsUnique() {
        try (TestDatabase server = TestDatabase.create(Kind.POSTGRESQL)) {
            server.execute(
                    "create table covered (payload text, b int, a int, primary key (a, b) include (payload))");
            Database database = Database.connect(server.dataSource());
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
            Database database = Database.connect(server.dataSource());
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
            Database database = Database.connect(server.dataSource());
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
            Database database = Database.connect(server.dataSource());
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
}
