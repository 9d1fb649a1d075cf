package dev.penstock.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.Aggregate;
import dev.penstock.query.Aggregate.Function;
import dev.penstock.query.Cursor;
import dev.penstock.query.Engine;
import dev.penstock.query.Plan;
import dev.penstock.query.Plan.Item;
import dev.penstock.query.Predicate;
import dev.penstock.query.Predicate.Comparator;
import dev.penstock.query.Table;
import dev.penstock.query.sql.Database;
import dev.penstock.query.sql.Rows;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests sums, averages and counts against a database, of as many rows as there are in blocks and on both sides. */
class SumsTest {
    /** Numbers of every width, with and without NULL; what is binary is a multiple of an eighth, and its sums exact. */
    private static final String COLUMNS =
            """
            x id, x / 700 in_runs, mod(x * 31, 7) mixed, mod(x * 31, 1009) many,
            5 same, cast(mod(x, 200) as int) narrow, cast(mod(x * 7919, 60000) as int) medium,
            cast(mod(x * 48271, 2000000011) - 1000000000 as int) wide,
            cast((mod(x, 2) * 2 - 1) * 4611686018427387000 + x as bigint) widest,
            mod(x * 16807, 65521) / cast(8 as double precision) - 4000 level,
            cast(mod(x * 16807, 521) / cast(8 as double precision) as real) small_level,
            case when mod(x, 5) = 0 then null else mod(x * 16807, 65521) / cast(8 as double precision) end some_level,
            case when mod(x, 3) = 0 then null else cast(mod(x, 1000) as int) end some_number,
            cast(mod(x * 16807, 65521) as decimal(12, 2)) / 100 price
            """;

    private static final List<String> NUMBERS =
            List.of(
                    "same",
                    "narrow",
                    "medium",
                    "wide",
                    "level",
                    "small_level",
                    "some_level",
                    "some_number",
                    "price");

    /** What rows are grouped by; the last ones leave groups of one row. */
    private static final List<List<String>> KEYS =
            List.of(
                    List.of(),
                    List.of("IN_RUNS"),
                    List.of("MIXED"),
                    List.of("MANY"),
                    List.of("SAME"),
                    List.of("MIXED", "IN_RUNS"),
                    List.of("WIDEST"),
                    List.of("WIDE", "LEVEL", "WIDEST", "SAME"));

    private static final int KEYS_OF_MANY = 6;
    private static final int FEW = 1400;

    private static List<Aggregate> aggregates() {
        List<Aggregate> all = new ArrayList<>(List.of(Aggregate.count("n")));
        for (String number : NUMBERS) {
            String name = number.toUpperCase(Locale.ROOT);
            all.add(Aggregate.of(Function.SUM, name, "sum_" + number));
            all.add(Aggregate.of(Function.COUNT_VALUES, name, "count_" + number));
            all.add(Aggregate.of(Function.MAX, name, "max_" + number));
        }
        return all;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5, 23, 24, 25, 64, 65, 511, 512, 513, 577, 1400, 4096, 4097, 140_000})
    void sums_ofRows_areTheDatabases(int rows) {
        try (TestDatabase server = TestDatabase.create(Kind.H2)) {
            server.execute(
                    "create table t as select * from (select %s from system_range(1, %d))"
                            .formatted(COLUMNS, rows),
                    "alter table t alter column id set not null",
                    "alter table t add primary key (id)");
            Database database = Database.connect(server.dataSource());
            Engine memory = InMemory.of(database);
            Table table = database.table("t");
            Predicate some =
                    Predicate.and(
                            new Predicate.Comparison("MIXED", Comparator.LESS, 4L),
                            new Predicate.Comparison("ID", Comparator.GREATER, 3L));
            for (Plan plan : List.of(Plan.of(table), Plan.of(table).where(some))) {
                for (List<String> keys : rows <= FEW ? KEYS : KEYS.subList(0, KEYS_OF_MANY)) {
                    requireSame(memory, database, grouped(plan, keys));
                }
            }
        }
    }

    /** Groups rows by some columns, in the order of these. */
    private static Plan grouped(Plan plan, List<String> keys) {
        return plan.aggregate(keys.stream().map(key -> new Item(key, key)).toList(), aggregates())
                .orderBy(keys.stream().map(key -> new Plan.Order(key, false, false)).toList());
    }

    private static void requireSame(Engine memory, Engine database, Plan plan) {
        List<List<String>> expected = Rows.texts(database, plan);

        assertThat(Rows.texts(memory, plan)).as("%s", plan).isEqualTo(expected);
        assertThat(Rows.texts(memory.openParallel(plan))).as("%s", plan).isEqualTo(expected);
    }

    /** What is infinite, is no number or becomes too large comes behind so many numbers of the same group. */
    @ParameterizedTest
    @CsvSource({"0", "1", "3", "70", "600", "5000"})
    void sums_ofWhatIsNotFinite_areThoseOfAStream(int behind) {
        List<double[]> all =
                List.of(
                        new double[] {Double.POSITIVE_INFINITY},
                        new double[] {Double.NEGATIVE_INFINITY},
                        new double[] {Double.POSITIVE_INFINITY, 1, 2, 3},
                        new double[] {Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY},
                        new double[] {Double.NaN, 1, Double.POSITIVE_INFINITY},
                        new double[] {Double.MAX_VALUE, Double.MAX_VALUE, 5},
                        new double[] {-Double.MAX_VALUE, -Double.MAX_VALUE, -Double.MAX_VALUE});
        try (TestDatabase server = TestDatabase.create(Kind.H2)) {
            server.execute(
                    "create table t (id int primary key, kind int not null, number double precision not null)");
            List<Double> expected = new ArrayList<>();
            int id = 0;
            for (int kind = 0; kind < all.size(); kind++) {
                if (behind > 0) {
                    server.execute(
                            "insert into t select x + %d, %d, 0.25 from system_range(1, %d)"
                                    .formatted(id, kind, behind));
                }
                id += behind;
                for (double number : all.get(kind)) {
                    server.execute(
                            "insert into t values (%d, %d, cast('%s' as double precision))"
                                    .formatted(++id, kind, number));
                }
                expected.add(
                        DoubleStream.concat(
                                        DoubleStream.generate(() -> 0.25).limit(behind),
                                        DoubleStream.of(all.get(kind)))
                                .sum());
            }
            Database database = Database.connect(server.dataSource());
            Plan plan =
                    Plan.of(database.table("t"))
                            .aggregate(
                                    List.of(new Item("KIND", "KIND")),
                                    List.of(Aggregate.of(Function.SUM, "NUMBER", "sum")))
                            .orderBy(List.of(new Plan.Order("KIND", false, false)));
            List<Double> sums = new ArrayList<>();
            try (Cursor cursor = InMemory.of(database).open(plan)) {
                while (cursor.next()) {
                    sums.add(cursor.getDouble(1));
                }
            }
            assertThat(sums).isEqualTo(expected);
        }
    }
}
