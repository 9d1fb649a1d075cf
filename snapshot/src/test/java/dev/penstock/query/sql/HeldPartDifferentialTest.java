package dev.penstock.query.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.Column;
import dev.penstock.query.Engine;
import dev.penstock.query.Plan;
import dev.penstock.query.Predicate;
import dev.penstock.query.QueryException;
import dev.penstock.query.Table;
import dev.penstock.snapshot.InMemory;
import java.sql.SQLException;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Random plans over a table of which some rows and columns are in memory are refused, or answered as a list of all rows
 * answers them; others each time with {@code -Dpenstock.soak=true}.
 */
class HeldPartDifferentialTest {
    private static final boolean SOAK = Boolean.getBoolean("penstock.soak");
    private static final int PARTS = SOAK ? 2_000 : 40;
    private static final int PLANS = 30;

    private final long seed = Long.getLong("penstock.seed", SOAK ? System.nanoTime() : 1);
    private final Random random = new Random(seed);
    private int answered;
    private int refused;

    @Test
    void plan_ofChosenRowsAndColumns_answersAsAListOfAllDoesOrIsRefused() throws SQLException {
        List<Object[]> rows = DifferentialTest.data(Kind.H2, random, 80);
        try (TestDatabase server = TestDatabase.create(Kind.H2)) {
            DifferentialTest.fill(server, rows);
            Database database = Database.connect(server.dataSource());
            Table table = database.schema().table("facts").orElseThrow();
            RandomPlans plans = new RandomPlans(random, table, rows);
            PlanModel model = new PlanModel(rows);
            for (int i = 0; i < PARTS; i++) {
                Predicate chosen = random.nextInt(4) == 0 ? Predicate.ALL : plans.predicate();
                if (database.refusal(Plan.of(table).where(chosen)).isPresent()) {
                    continue;
                }
                Engine engine = InMemory.of(database, table, columns(table), chosen);
                for (int j = 0; j < PLANS; j++) {
                    String shown =
                            "-Dpenstock.seed=%d, part %d, plan %d: rows %s"
                                    .formatted(seed, i, j, chosen);
                    check(engine, plan(plans, table, chosen), model, shown);
                }
            }
        }
        assertThat(answered).as("answered").isGreaterThan(PARTS);
        assertThat(refused).as("refused").isGreaterThan(PARTS);
    }

    private Set<String> columns(Table table) {
        return random.nextInt(3) == 0
                ? Set.of()
                : table.columns().stream()
                        .map(Column::name)
                        .filter(_ -> random.nextInt(4) > 0)
                        .collect(Collectors.toSet());
    }

    /** Returns a plan that wants no more than the chosen rows, or may want more. */
    private Plan plan(RandomPlans plans, Table table, Predicate chosen) {
        Predicate filter =
                switch (random.nextInt(5)) {
                    case 0 -> Predicate.ALL;
                    case 1 -> plans.predicate();
                    case 2 -> Predicate.and(plans.predicate(), chosen);
                    default -> chosen;
                };
        return plans.plan(Plan.of(table).where(filter));
    }

    private void check(Engine engine, Plan plan, PlanModel model, String shown) {
        for (Plan each : List.of(plan, plan.count())) {
            boolean isAnswered;
            try {
                isAnswered = engine.refusal(each).isEmpty();
            } catch (QueryException e) {
                assertThat(e.kind()).as(shown).isEqualTo(QueryException.Kind.UNKNOWN_NAME);
                assertThat(e).as(shown).hasMessageContaining(plan.table().name());
                isAnswered = false;
            }
            if (isAnswered) {
                answered++;
                DifferentialTest.check(engine, each, model, shown);
            } else {
                refused++;
            }
        }
    }
}
