package dev.penstock.query.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.Column;
import dev.penstock.query.Cursor;
import dev.penstock.query.Plan;
import dev.penstock.query.Plan.Slice;
import dev.penstock.query.Predicate;
import dev.penstock.query.Predicate.Comparator;
import dev.penstock.query.Table;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Random plans mean on every database what they mean on a list of the same rows. */
class DifferentialTest {
    private static final List<Comparator> COMPARATORS = List.of(Comparator.values());

    private static final List<String> TEXTS =
            List.of(
                    "",
                    " ",
                    "a",
                    "a ",
                    "A",
                    "á",
                    "a\u0301",
                    "ß",
                    "ss",
                    "%",
                    "_",
                    "\\",
                    "\\\\",
                    "'",
                    "\uFFFD",
                    "\uD83D\uDE00",
                    "\uE000",
                    "ab",
                    "a\tb",
                    "z",
                    "Z",
                    "0");

    private static List<Object[]> data(Kind kind, Random random) {
        boolean signed = kind == Kind.POSTGRESQL;
        List<Object> doubles = new ArrayList<>(List.of(0.0, 1.5, -1.5, 1e300, 4.9E-324));
        if (kind == Kind.POSTGRESQL || kind == Kind.H2) {
            doubles.addAll(List.of(Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY));
        }
        if (signed) {
            doubles.add(-0.0);
        }
        List<Object> decimals =
                Stream.of("0", "1.50", "-1.50", "1.51", "99999999.99")
                        .map(s -> (Object) new BigDecimal(s))
                        .toList();
        List<Object> dates =
                List.of(
                        LocalDate.of(2026, 11, 21),
                        LocalDate.of(1970, 1, 1),
                        LocalDate.of(1, 1, 1));
        List<Object[]> rows = new ArrayList<>();
        for (int id = 0; id < 60; id++) {
            rows.add(
                    new Object[] {
                        (long) id,
                        pick(random, new ArrayList<>(TEXTS)),
                        pick(random, doubles),
                        pick(random, decimals),
                        pick(random, dates),
                        pick(random, List.of(-1L, 0L, 1L, 2L))
                    });
        }
        return rows;
    }

    private static Object pick(Random random, List<Object> values) {
        int index = random.nextInt(values.size() + 1);
        return index == values.size() ? null : values.get(index);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void plan_atRandom_answersAsAListDoes(Kind kind) throws SQLException {
        long seed = Long.getLong("penstock.seed", System.nanoTime());
        Random random = new Random(seed);
        List<Object[]> rows = data(kind, random);
        try (TestDatabase server = TestDatabase.create(kind)) {
            fill(server, rows);
            RecordingDataSource source = new RecordingDataSource(server.dataSource());
            Database database = Database.connect(source);
            Table table = database.table("facts");
            for (int i = 0; i < 150; i++) {
                Plan plan = plan(random, table, rows);
                List<Object> expected = evaluate(plan, rows);
                List<Object> answered = ids(database, plan);
                if (plan.order().isEmpty() && plan.slices().isEmpty()) {
                    answered.sort(java.util.Comparator.comparing(id -> (Long) id));
                }
                assertThat(answered)
                        .as(
                                "-Dpenstock.seed=%d, plan %d: %s%n%s",
                                seed, i, plan, database.explain(plan))
                        .isEqualTo(expected);
                assertThat(Rows.texts(database, plan.count()))
                        .as("-Dpenstock.seed=%d, count of plan %d: %s", seed, i, plan)
                        .containsExactly(List.of(Integer.toString(expected.size())));
            }
            assertThat(source.open).isEmpty();
        }
    }

    private static void fill(TestDatabase server, List<Object[]> rows) throws SQLException {
        String text =
                server.kind() == Kind.H2
                        ? "varchar(20)"
                        : server.kind() == Kind.POSTGRESQL
                                ? "text"
                                : "varchar(20) character set utf8mb4";
        server.execute(
                "create table facts (id bigint primary key, s "
                        + text
                        + ", d double precision, n decimal(12,2), day_of date, i bigint)");
        try (Connection connection = server.connect();
                PreparedStatement insert =
                        connection.prepareStatement(
                                "insert into facts values (?, ?, ?, ?, ?, ?)")) {
            for (Object[] row : rows) {
                for (int i = 0; i < row.length; i++) {
                    insert.setObject(i + 1, row[i]);
                }
                insert.execute();
            }
        }
    }

    private static List<Object> ids(Database database, Plan plan) {
        List<Object> ids = new ArrayList<>();
        try (Cursor cursor = database.open(plan)) {
            while (cursor.next()) {
                ids.add(cursor.getLong(0));
            }
        }
        return ids;
    }

    private static Plan plan(Random random, Table table, List<Object[]> rows) {
        Plan plan = Plan.of(table).where(predicate(random, table, rows, 3));
        List<Plan.Order> order = new ArrayList<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            String column = table.columns().get(random.nextInt(table.columns().size())).name();
            order.add(new Plan.Order(column, random.nextBoolean(), random.nextBoolean()));
        }
        plan = plan.orderBy(order);
        for (int i = random.nextInt(4); i > 0; i--) {
            long count = random.nextInt(40);
            plan = random.nextBoolean() ? plan.skip(count / 4) : plan.limit(count);
        }
        return plan;
    }

    private static Predicate predicate(Random random, Table table, List<Object[]> rows, int depth) {
        int column = random.nextInt(table.columns().size());
        String name = table.columns().get(column).name();
        return switch (random.nextInt(depth > 0 ? 8 : 5)) {
            case 0 -> new Predicate.IsNull(name);
            case 1 ->
                    new Predicate.In(
                            name,
                            Stream.generate(() -> value(random, column, rows))
                                    .limit(random.nextInt(4))
                                    .toList());
            case 5 -> new Predicate.Not(predicate(random, table, rows, depth - 1));
            case 6 -> new Predicate.And(several(random, table, rows, depth));
            case 7 -> new Predicate.Or(several(random, table, rows, depth));
            default ->
                    new Predicate.Comparison(
                            name,
                            COMPARATORS.get(random.nextInt(COMPARATORS.size())),
                            value(random, column, rows));
        };
    }

    private static List<Predicate> several(
            Random random, Table table, List<Object[]> rows, int depth) {
        return Stream.generate(() -> predicate(random, table, rows, depth - 1))
                .limit(random.nextInt(4))
                .toList();
    }

    private static Object value(Random random, int column, List<Object[]> rows) {
        if (column == 2 && random.nextInt(4) == 0) {
            List<Double> edges =
                    List.of(
                            Double.NaN,
                            0.0,
                            -0.0,
                            Double.POSITIVE_INFINITY,
                            Double.NEGATIVE_INFINITY);
            return edges.get(random.nextInt(edges.size()));
        }
        if (column == 3 && random.nextInt(4) == 0) {
            return new BigDecimal("1.500001");
        }
        while (true) {
            Object value = rows.get(random.nextInt(rows.size()))[column];
            if (value != null) {
                return value;
            }
        }
    }

    private static List<Object> evaluate(Plan plan, List<Object[]> rows) {
        List<Column> columns = plan.table().columns();
        java.util.Comparator<Object[]> order = (_, _) -> 0;
        for (Plan.Order by : plan.order()) {
            int column = index(columns, by.column());
            order =
                    order.thenComparing((a, b) -> {
                        if (a[column] == null || b[column] == null) {
                            int nulls = Boolean.compare(b[column] == null, a[column] == null);
                            return by.nullsFirst() ? nulls : -nulls;
                        }
                        int compared = compare(a[column], b[column]);
                        return by.descending() ? -compared : compared;
                    });
        }
        order = order.thenComparing((a, b) -> compare(a[0], b[0]));
        Stream<Object[]> stream =
                rows.stream().filter(row -> test(plan.filter(), columns, row)).sorted(order);
        for (Slice slice : plan.slices()) {
            stream =
                    switch (slice) {
                        case Slice.Skip(long n) -> stream.skip(n);
                        case Slice.Limit(long n) -> stream.limit(n);
                    };
        }
        return stream.map(row -> row[0]).toList();
    }

    private static int index(List<Column> columns, String name) {
        return columns.stream().map(Column::name).toList().indexOf(name);
    }

    private static boolean test(Predicate predicate, List<Column> columns, Object[] row) {
        return switch (predicate) {
            case Predicate.IsNull(String name) -> row[index(columns, name)] == null;
            case Predicate.Not(Predicate inner) -> !test(inner, columns, row);
            case Predicate.And(List<Predicate> all) ->
                    all.stream().allMatch(p -> test(p, columns, row));
            case Predicate.Or(List<Predicate> any) ->
                    any.stream().anyMatch(p -> test(p, columns, row));
            case Predicate.In(String name, List<Object> values) -> {
                Object cell = row[index(columns, name)];
                yield cell != null && values.stream().anyMatch(v -> compare(cell, v) == 0);
            }
            case Predicate.Text _, Predicate.Matches _, Predicate.Relation _ ->
                    throw new AssertionError(predicate);
            case Predicate.Comparison(String name, Comparator comparator, Object value) -> {
                Object cell = row[index(columns, name)];
                if (cell == null) {
                    yield comparator == Comparator.NOT_EQUAL;
                }
                int compared = compare(cell, value);
                yield switch (comparator) {
                    case EQUAL -> compared == 0;
                    case NOT_EQUAL -> compared != 0;
                    case LESS -> compared < 0;
                    case LESS_OR_EQUAL -> compared <= 0;
                    case GREATER -> compared > 0;
                    case GREATER_OR_EQUAL -> compared >= 0;
                };
            }
        };
    }

    private static int compare(Object a, Object b) {
        return switch (a) {
            case String text ->
                    Arrays.compare(
                            text.codePoints().toArray(), ((String) b).codePoints().toArray());
            case Long number -> number.compareTo((Long) b);
            case Double number -> number.compareTo((Double) b);
            case BigDecimal number -> number.compareTo((BigDecimal) b);
            case LocalDate date -> date.compareTo((LocalDate) b);
            default -> throw new AssertionError(a);
        };
    }
}
