package dev.penstock.query.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.databases.TestDatabase;
import dev.penstock.query.Cursor;
import dev.penstock.query.NativeType;
import dev.penstock.query.NativeType.Comparison;
import dev.penstock.query.NativeValue;
import dev.penstock.query.Plan;
import dev.penstock.query.Predicate;
import dev.penstock.query.Predicate.Comparator;
import dev.penstock.query.QueryException;
import dev.penstock.query.Table;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Values and orders of a column's own type in the database. */
class NativeValueTest {
    private static TestDatabase things(TestDatabase.Kind kind, String... rows) {
        TestDatabase database = TestDatabase.create(kind);
        boolean isPostgreSql = kind == TestDatabase.Kind.POSTGRESQL;
        if (isPostgreSql) {
            database.execute("CREATE TYPE size AS ENUM ('small', 'medium', 'large')");
        }
        String type = isPostgreSql ? "size" : "enum('small', 'medium', 'large')";
        database.execute("CREATE TABLE things (id int PRIMARY KEY, size " + type + ")");
        for (String row : rows) {
            database.execute("INSERT INTO things VALUES " + row);
        }
        return database;
    }

    private static List<Integer> ids(Database database, Plan plan) {
        List<Integer> ids = new ArrayList<>();
        try (Cursor cursor = database.open(plan)) {
            while (cursor.next()) {
                ids.add(cursor.getInt(0));
            }
        }
        return ids;
    }

    private static Predicate size(Table table, Comparator by, String text) {
        return new Predicate.Comparison(
                table.columns().getLast().name(), by, new NativeValue(text));
    }

    @ParameterizedTest
    @EnumSource
    void enumeration_inItsOwnOrder_isThatOfItsDeclaration(TestDatabase.Kind kind) {
        try (TestDatabase made =
                things(kind, "(1, 'large')", "(2, 'small')", "(3, NULL)", "(4, 'medium')")) {
            Database database = Database.connect(made.dataSource());
            Table table = database.table("things");
            NativeType type = table.columns().getLast().nativeType();
            assertThat(type.comparison()).isEqualTo(Comparison.ORDERED);
            assertThat(type.labels()).containsExactly("small", "medium", "large");
            String size = table.columns().getLast().name();
            Plan all = Plan.of(table);
            assertThat(ids(database, all.orderBy(List.of(new Plan.Order(size, true, false, true)))))
                    .containsExactly(1, 4, 2, 3);
            assertThat(ids(database, all.orderBy(List.of(new Plan.Order(size, false, false)))))
                    .containsExactly(1, 4, 2, 3);
            assertThat(ids(database, all.where(size(table, Comparator.GREATER, "small"))))
                    .containsExactlyInAnyOrder(1, 4);
            Predicate in = new Predicate.In(size, List.of(new NativeValue("small"), "large"));
            assertThat(ids(database, all.where(in))).containsExactlyInAnyOrder(1, 2);
            assertThat(ids(database, all.where(new Predicate.SqlNot(in)))).containsExactly(4);
            assertThat(ids(database, all.where(new Predicate.Not(in))))
                    .containsExactlyInAnyOrder(3, 4);
        }
    }

    @ParameterizedTest
    @EnumSource
    void value_thatIsNone_isAnErrorOfThePlanThoughThereIsNoRow(TestDatabase.Kind kind) {
        try (TestDatabase made = things(kind)) {
            Database database = Database.connect(made.dataSource());
            Table table = database.table("things");
            Predicate none = size(table, Comparator.LESS, "huge");
            for (Plan plan :
                    List.of(
                            Plan.of(table).where(none),
                            Plan.of(table).where(none).count(),
                            Plan.of(table).where(none).limit(1))) {
                assertThatThrownBy(() -> ids(database, plan))
                        .isInstanceOfSatisfying(
                                QueryException.class,
                                e ->
                                        assertThat(e.kind())
                                                .isEqualTo(QueryException.Kind.INVALID_PLAN))
                        .hasMessageContaining("no value of its type")
                        .hasMessageEndingWith("its values are small, medium, large");
            }
            if (database.estimate(table, Predicate.ALL).isPresent()) {
                assertThatThrownBy(() -> database.estimate(table, none))
                        .hasMessageContaining("no value of its type");
            }
            assertThat(ids(database, Plan.of(table).where(size(table, Comparator.LESS, "large"))))
                    .isEmpty();
        }
    }
}
