package dev.penstock.query.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.Column;
import dev.penstock.query.Cursor;
import dev.penstock.query.Engine;
import dev.penstock.query.Keyset;
import dev.penstock.query.Plan;
import dev.penstock.query.Plan.Order;
import dev.penstock.query.Predicate;
import dev.penstock.query.Predicate.Comparator;
import dev.penstock.query.Table;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A list that breaks off behind any row, in any order, goes on with the row that would have come next; on every
 * database. Other orders each time, and every row, with {@code -Dpenstock.soak=true}.
 */
class KeysetConformanceTest {
    private static final boolean SOAK = Boolean.getBoolean("penstock.soak");
    private static final int ORDERS = SOAK ? 400 : 25;

    static long seed() {
        return Long.getLong("penstock.seed", SOAK ? System.nanoTime() : 1);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void list_brokenOffAnywhere_goesOnBehindItsLastRow(Kind kind) throws SQLException {
        Random random = new Random(seed());
        List<Object[]> rows = DifferentialTest.data(kind, random, 60);
        try (TestDatabase server = TestDatabase.create(kind)) {
            DifferentialTest.fill(server, rows);
            Database database = Database.connect(server.pooled());
            requireContinued(database, database.table("facts"), random, ORDERS);
        }
    }

    /** Breaks lists of a table in orders at random off, behind some of their rows. */
    static void requireContinued(Engine engine, Table table, Random random, int orders) {
        for (int i = 0; i < orders; i++) {
            Plan plan = Plan.of(table).orderBy(order(table, random));
            if (random.nextInt(3) == 0) {
                String k = table.columns().get(9).name();
                plan = plan.where(new Predicate.Comparison(k, Comparator.LESS, 1));
            }
            // Where there is no order, that of the key is meant.
            Keyset keyset = Keyset.of(plan).orElseThrow();
            Plan ordered = plan.orderBy(keyset.order());
            List<List<String>> whole = Rows.texts(engine, ordered);
            List<List<Object>> values = values(engine, ordered, keyset);
            for (int row : breaks(random, whole.size())) {
                Plan rest = keyset.after(values.get(row));
                String shown =
                        "-Dpenstock.seed=%d, order %d, behind row %d of %d%n%s"
                                .formatted(
                                        seed(), i, row, whole.size(), engine.explain(rest).text());
                List<List<String>> left = whole.subList(row + 1, whole.size());
                assertThat(Rows.texts(engine, rest)).as(shown).isEqualTo(left);
                int limit = random.nextInt(5);
                assertThat(Rows.texts(engine, rest.limit(limit)))
                        .as(shown)
                        .isEqualTo(left.subList(0, Math.min(limit, left.size())));
                assertThat(Rows.texts(engine, rest.count()))
                        .as(shown)
                        .containsExactly(List.of(Integer.toString(left.size())));
            }
        }
    }

    private static int[] breaks(Random random, int rows) {
        int last = rows - 1;
        return SOAK
                ? random.ints(rows, 0, Math.max(1, rows)).filter(row -> row <= last).toArray()
                : random.ints(5, 0, Math.max(1, rows)).filter(row -> row <= last).toArray();
    }

    private static List<Order> order(Table table, Random random) {
        List<Order> order = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            Column column = table.columns().get(random.nextInt(table.columns().size()));
            order.add(new Order(column.name(), random.nextBoolean(), random.nextBoolean()));
        }
        return order;
    }

    private static List<List<Object>> values(Engine engine, Plan plan, Keyset keyset) {
        List<Column> columns = plan.columns();
        List<List<Object>> values = new ArrayList<>();
        try (Cursor cursor = engine.open(plan)) {
            while (cursor.next()) {
                Object[] row = new Object[keyset.order().size()];
                Arrays.setAll(
                        row,
                        i ->
                                Rows.value(
                                        cursor,
                                        PlanModel.index(columns, keyset.order().get(i).column())));
                values.add(Arrays.asList(row));
            }
        }
        return values;
    }

    /** The database starts in its index at the first column's value, whatever the rest of the condition. */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void start_ofAContinuedList_isABoundOfTheIndex(Kind kind) throws SQLException {
        try (TestDatabase server = TestDatabase.create(kind)) {
            server.execute(
                    "create table digits (d int primary key)",
                    "insert into digits values (0),(1),(2),(3),(4),(5),(6),(7),(8),(9)",
                    "create table steps (grp int not null, id int primary key, label varchar(10))",
                    "insert into steps select a.d + 10 * b.d, a.d + 10 * b.d + 100 * c.d + 1000 * e.d, 'x'"
                            + " from digits a, digits b, digits c, digits e",
                    "create index by_grp on steps (grp, id)",
                    kind == Kind.POSTGRESQL
                            ? "analyze steps"
                            : kind == Kind.H2 ? "analyze" : "analyze table steps");
            Database database = Database.connect(server.pooled());
            Table table = database.table("steps");
            String grp = table.columns().getFirst().name();
            Plan plan = Plan.of(table).orderBy(List.of(new Order(grp, false, false)));
            Plan rest = Keyset.of(plan).orElseThrow().after(List.of(98, 5098));
            assertThat(Rows.texts(database, rest.count())).containsExactly(List.of("149"));
            String sql = database.explain(rest.limit(10)).sql().replaceFirst("[?]", "98");
            for (String value : List.of("98", "5098", "10")) {
                sql = sql.replaceFirst("[?]", value);
            }
            assertThat(plan(server, sql))
                    .contains(
                            switch (kind) {
                                case POSTGRESQL -> "Index Cond: (grp >= 98)";
                                case MARIADB, MYSQL -> "|range|";
                                case H2 -> "BY_GRP: GRP >= 98";
                            });
        }
    }

    /** What the database says of a statement, its cells between bars. */
    private static String plan(TestDatabase server, String sql) throws SQLException {
        StringBuilder plan = new StringBuilder();
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement();
                ResultSet lines = statement.executeQuery("explain " + sql)) {
            while (lines.next()) {
                for (int i = 1; i <= lines.getMetaData().getColumnCount(); i++) {
                    plan.append('|').append(lines.getString(i));
                }
                plan.append("|\n");
            }
        }
        return plan.toString();
    }
}
