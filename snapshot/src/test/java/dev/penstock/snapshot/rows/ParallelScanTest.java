package dev.penstock.snapshot.rows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.Aggregate;
import dev.penstock.query.Aggregate.Function;
import dev.penstock.query.Engine;
import dev.penstock.query.Expression;
import dev.penstock.query.Plan;
import dev.penstock.query.Plan.Item;
import dev.penstock.query.Predicate;
import dev.penstock.query.Predicate.Comparator;
import dev.penstock.query.Predicate.TextOperation;
import dev.penstock.query.Table;
import dev.penstock.query.sql.Database;
import dev.penstock.query.sql.Rows;
import dev.penstock.snapshot.InMemory;
import dev.penstock.snapshot.memory.Memory;
import dev.penstock.snapshot.work.QueryContext;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Scans by several threads find what one finds. */
class ParallelScanTest {
    private static final int ROWS = 200_000;

    @Test
    void each_ofTwoParts_runsBothAtOnce() throws Exception {
        CyclicBarrier both = new CyclicBarrier(2);
        try (ForkJoinPool pool = new ForkJoinPool(2)) {
            List<RowSource> parts =
                    ParallelScan.of(8192, () -> Filter.Constant.ALL, 2, new QueryContext());
            List<Long> counts =
                    pool.submit(() ->
                                    ParallelScan.each(
                                            parts,
                                            part -> {
                                                await(both);
                                                return part.count();
                                            },
                                            new QueryContext()))
                            .get();
            assertThat(counts).containsExactly(4096L, 4096L);
        }
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await(60, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void of_anyNumberOfRows_hasEachRowOnce() {
        for (int rows : new int[] {1, 4095, 4096, 4097, 8192, 100_001, 300_000}) {
            for (int count : new int[] {1, 2, 3, 7}) {
                List<Integer> all = new ArrayList<>();
                int[] some = new int[1000];
                for (RowSource part :
                        ParallelScan.of(
                                rows, () -> Filter.Constant.ALL, count, new QueryContext())) {
                    for (int n = part.next(some); n > 0; n = part.next(some)) {
                        IntStream.of(some).limit(n).forEach(all::add);
                    }
                }
                assertThat(all).isEqualTo(IntStream.range(0, rows).boxed().toList());
            }
        }
    }

    private static List<Plan> plans(Table table) {
        Plan all = Plan.of(table);
        Predicate odd =
                new Predicate.Relation(
                        new Expression.ColumnValue("A"),
                        Comparator.GREATER,
                        new Expression.ColumnValue("B"));
        Predicate seven = new Predicate.Text("NAME", TextOperation.CONTAINS, "7", false);
        Predicate matching = new Predicate.Matches("NAME", ".*[13]5.*", 0);
        Predicate range = new Predicate.Comparison("A", Comparator.LESS, 500_000);
        List<Aggregate> values = new ArrayList<>(List.of(Aggregate.count("n")));
        for (String column : List.of("A", "D", "X")) {
            for (Function function : List.of(Function.SUM, Function.AVERAGE)) {
                values.add(Aggregate.of(function, column, function + column));
            }
        }
        for (String column : List.of("A", "D", "X", "NAME", "SEEN")) {
            for (Function function : List.of(Function.MIN, Function.MAX, Function.COUNT_VALUES)) {
                values.add(Aggregate.of(function, column, function + column));
            }
        }
        List<Plan> plans = new ArrayList<>();
        for (Predicate filter :
                List.of(
                        Predicate.ALL,
                        odd,
                        new Predicate.Not(odd),
                        seven,
                        matching,
                        range,
                        new Predicate.And(List.of(range, odd)),
                        new Predicate.Or(List.of(seven, range)))) {
            Plan filtered = all.where(filter);
            plans.add(filtered.count());
            plans.add(filtered.aggregate(List.of(), values));
            for (String key : List.of("KIND", "NAME", "SEEN")) {
                plans.add(filtered.aggregate(List.of(new Item(key, key)), values));
            }
            plans.add(filtered.limit(70_000).count());
            plans.add(filtered.select(List.of(new Item("A", "a"))).count());
        }
        return plans;
    }

    @Test
    void openParallel_ofAnyScan_answersAsOneThreadDoes() throws Exception {
        try (TestDatabase server = TestDatabase.create(Kind.H2)) {
            server.execute(
                    "create table t (id int primary key, a int, b int, d decimal(12,2), x double"
                            + " precision, name varchar(20), kind varchar(4), seen date)",
                    "insert into t select x, case when x % 10 = 0 then null else x * 7919 % 1000003"
                            + " end, x * 31 % 1000003, x / 4.0, x / 8.0,"
                            + " case when x % 9 = 0 then null else 'name ' || (x * 7 % 1000) end,"
                            + " 'k' || (x % 7), DATE '2026-01-01' + x % 50 from system_range(1, "
                            + ROWS
                            + ")");
            Database database = Database.connect(server.dataSource());
            // Without memory for indexes, so that scans answer.
            Engine engine = InMemory.of(database, new Memory(Long.MAX_VALUE), new Memory(1));
            try (ForkJoinPool pool = new ForkJoinPool(3)) {
                Supplier<Integer> parts = () -> ParallelScan.count(ROWS);
                assertThat(pool.submit(parts::get).get()).isGreaterThan(2);
                for (Plan plan : plans(engine.schema().table("t").orElseThrow())) {
                    assertThat(pool.submit(() -> Rows.texts(engine.openParallel(plan))).get())
                            .as(plan.toString())
                            .isEqualTo(Rows.texts(engine.open(plan)));
                }
            }
        }
    }
}
