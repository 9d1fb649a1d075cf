package dev.penstock.query.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.Engine;
import dev.penstock.query.Plan;
import dev.penstock.query.Table;
import dev.penstock.snapshot.InMemory;
import java.sql.SQLException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.function.UnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Random plans mean in memory what they mean on a list of the same rows; others each time with
 * {@code -Dpenstock.soak=true}.
 */
class SnapshotDifferentialTest {
    private static final int FACTOR = Boolean.getBoolean("penstock.soak") ? 50 : 1;

    /** Where long work is handed over to other threads. */
    @ParameterizedTest
    @CsvSource({"60, 50", "5000, 15", "100000, 1"})
    void plan_ofAVirtualThread_answersAsAListDoes(int size, int plans) throws Exception {
        FutureTask<Boolean> task =
                new FutureTask<>(() -> {
                    plan_atRandom_answersAsAListDoes(size, plans);
                    return true;
                });
        Thread.ofVirtual().start(task);
        assertThat(task.get()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"0, 50", "1, 50", "60, 500", "4096, 8", "5000, 10", "100000, 1"})
    void plan_atRandom_answersAsAListDoes(int size, int plans) throws SQLException {
        check(size, plans, InMemory::of);
    }

    @ParameterizedTest
    @CsvSource({"0, 20", "1, 20", "60, 250", "4096, 8", "5000, 10"})
    void plan_onTablesOfAMappedFile_answersAsAListDoes(int size, int plans) throws SQLException {
        check(size, plans, InMemory::ofFile);
    }

    private static void check(int size, int plans, UnaryOperator<Engine> memory)
            throws SQLException {
        long seed =
                Long.getLong(
                        "penstock.seed",
                        Boolean.getBoolean("penstock.soak") ? System.nanoTime() : 1);
        Random random = new Random(seed);
        List<Object[]> rows = DifferentialTest.data(Kind.H2, random, size);
        List<Object[]> values = DifferentialTest.data(Kind.H2, random, 60);
        try (TestDatabase server = TestDatabase.create(Kind.H2)) {
            DifferentialTest.fill(server, rows);
            Engine engine = memory.apply(Database.connect(server.dataSource()));
            Table table = engine.schema().table("facts").orElseThrow();
            PlanModel model = new PlanModel(rows);
            RandomPlans plansAtRandom = new RandomPlans(random, table, values);
            for (int i = 0; i < plans * FACTOR; i++) {
                Plan plan = plansAtRandom.plan();
                String shown = "-Dpenstock.seed=%d, %d rows, plan %d".formatted(seed, size, i);
                assertThat(engine.refusal(plan)).as(shown).isEmpty();
                DifferentialTest.check(engine, plan, model, shown);
                DifferentialTest.check(engine, plan.count(), model, shown);
            }
        }
    }
}
