package dev.penstock.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

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
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests sums, counts and maxima of as many rows as there are in blocks, and on both sides, against a database. */
class SumsTest {
    /** Numbers of every width, with and without NULL; what is binary is a multiple of an eighth, and its sums exact. */
    private static final String COLUMNS =
            """
            x id, x / 700 in_runs, mod(x * 31, 7) mixed, mod(x * 31, 1009) many,
            5 same, cast(mod(x, 200) as int) narrow, cast(mod(x * 7919, 60000) as int) medium,
            cast(mod(x * 48271, 2000000011) - 1000000000 as int) wide,
            cast((mod(x, 2) * 2 - 1) * 4611686018427387000 + x as bigint) widest,
            cast(mod(x * 48271, 2000000011) as bigint) * 1000 wider,
            case when mod(x, 4) = 0 then null else cast(mod(x * 48271, 2000000011) as bigint) * -1000 end some_wider,
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
                    "wider",
                    "some_wider",
                    "level",
                    "small_level",
                    "some_level",
                    "some_number",
                    "price");

    /** The columns of each grouping; by those of the last ones, each row is a group of its own. */
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

    private static final Predicate MIXED = new Predicate.Comparison("MIXED", Comparator.LESS, 4L);

    /** All rows; some of each block; nearly all; those from a row within a block on. */
    private static final List<Predicate> CONDITIONS =
            List.of(
                    Predicate.ALL,
                    Predicate.and(MIXED, new Predicate.Comparison("ID", Comparator.GREATER, 3L)),
                    new Predicate.Comparison("MANY", Comparator.NOT_EQUAL, 5L),
                    new Predicate.Comparison("ID", Comparator.GREATER, 70L));

    /** Of many rows, the database takes long for all. */
    private static final int CONDITIONS_OF_MANY = 2;

    private static final int KEYS_OF_MANY = 3;
    private static final int FEW = 1400;

    private static List<Aggregate> aggregates() {
        List<Aggregate> all = new ArrayList<>(List.of(Aggregate.count("n")));
        for (String number : NUMBERS) {
            String name = number.toUpperCase(Locale.ROOT);
            all.add(Aggregate.of(Function.SUM, name, "sum_" + number));
            all.add(Aggregate.of(Function.SUM, name, "some_" + number).where(MIXED));
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
            for (Predicate condition :
                    rows <= FEW ? CONDITIONS : CONDITIONS.subList(0, CONDITIONS_OF_MANY)) {
                Plan plan = Plan.of(table).where(condition);
                for (List<String> keys : rows <= FEW ? KEYS : KEYS.subList(0, KEYS_OF_MANY)) {
                    requireSame(memory, database, grouped(plan, keys, aggregates()));
                }
            }
        }
    }

    /** Groups rows by some columns, in the order of these. */
    private static Plan grouped(Plan rows, List<String> keys, List<Aggregate> values) {
        return rows.aggregate(keys.stream().map(key -> new Item(key, key)).toList(), values)
                .orderBy(keys.stream().map(key -> new Plan.Order(key, false, false)).toList());
    }

    private static void requireSame(Engine memory, Engine database, Plan plan) {
        List<List<String>> expected = Rows.texts(database, plan);

        assertThat(Rows.texts(memory, plan)).as("%s", plan).isEqualTo(expected);
        assertThat(Rows.texts(memory.openParallel(plan))).as("%s", plan).isEqualTo(expected);
    }

    /** Infinities, NaN and numbers whose sum overflows, each behind so many others of the same group. */
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
            List<Double> sums =
                    sums(InMemory.of(database), Plan.of(database.table("t")), List.of("KIND"));

            assertThat(sums).isEqualTo(expected);
        }
    }

    /** An infinite sum of a part, or of the group and a part, would stay. */
    @Test
    void sum_thatIsTooLargeInBetween_isThatOfAStream() {
        double[] numbers = new double[1500];
        numbers[0] = 1e308;
        numbers[513] = -1e308;
        numbers[518] = 1e308;
        try (TestDatabase server = TestDatabase.create(Kind.H2)) {
            server.execute(
                    """
                    create table t as select cast(x as int) id, cast(case x when 0 then '1e308' when 513 then '-1e308'
                        when 518 then '1e308' else '0' end as double precision) number from system_range(0, 1499)
                    """,
                    "alter table t alter column id set not null",
                    "alter table t add primary key (id)");
            Database database = Database.connect(server.dataSource());

            assertThat(sums(InMemory.of(database), Plan.of(database.table("t")), List.of()))
                    .containsExactly(DoubleStream.of(numbers).sum());
        }
    }

    /** A number that is so large that one by one all others would be lost. */
    @ParameterizedTest
    @ValueSource(ints = {30, 600, 5000, 140_000})
    void sums_ofManySmallNumbersAndALargeOne_loseNothing(int rows) {
        try (TestDatabase server = TestDatabase.create(Kind.H2)) {
            server.execute(
                    """
                    create table t as select cast(x as int) id, x / 700 in_runs, mod(x * 31, 7) mixed,
                        cast(case when mod(x, 700) = 1 then '1e17' else '1.1' end as double precision) number
                    from system_range(1, %d)
                    """
                            .formatted(rows),
                    "alter table t alter column id set not null",
                    "alter table t add primary key (id)");
            Database database = Database.connect(server.dataSource());
            Engine memory = InMemory.of(database);
            requireExact(memory, database, rows, List.of(), x -> 0);
            requireExact(memory, database, rows, List.of("IN_RUNS"), x -> x / 700);
            requireExact(memory, database, rows, List.of("MIXED"), x -> x * 31 % 7);
        }
    }

    private static void requireExact(
            Engine memory, Database database, int rows, List<String> keys, IntUnaryOperator group) {
        Map<Integer, BigDecimal> exact = new TreeMap<>();
        for (int x = 1; x <= rows; x++) {
            double number = x % 700 == 1 ? 1e17 : 1.1;
            exact.merge(group.applyAsInt(x), new BigDecimal(number), BigDecimal::add);
        }
        List<Double> sums = sums(memory, Plan.of(database.table("t")), keys);

        assertThat(sums).hasSameSizeAs(exact.values());
        int place = 0;
        for (BigDecimal expected : exact.values()) {
            double sum = sums.get(place++);
            assertThat(sum)
                    .isCloseTo(
                            expected.doubleValue(), within(2 * Math.ulp(expected.doubleValue())));
        }
    }

    /** Returns the sums of groups, by several threads where there are many rows. */
    private static List<Double> sums(Engine memory, Plan rows, List<String> keys) {
        Plan plan = grouped(rows, keys, List.of(Aggregate.of(Function.SUM, "NUMBER", "sum")));
        List<Double> sums = new ArrayList<>();
        try (Cursor cursor = memory.openParallel(plan)) {
            while (cursor.next()) {
                sums.add(cursor.getDouble(keys.size()));
            }
        }
        return sums;
    }
}
