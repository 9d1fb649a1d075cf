package dev.penstock.query.typed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.Cursor;
import dev.penstock.query.Engine;
import dev.penstock.query.Explanation;
import dev.penstock.query.Plan;
import dev.penstock.query.Predicate;
import dev.penstock.query.Schema;
import dev.penstock.query.Table;
import dev.penstock.query.typed.field.Condition;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Conditions on streams that are filtered by conditions on streams, and so on. */
class SemiJoinNestingTest {
    /** An engine that counts how often it is asked what it can do of a condition. */
    private record Counting(Engine engine, AtomicInteger asked) implements Engine {
        @Override
        public String name() {
            return engine.name();
        }

        @Override
        public Schema schema() {
            return engine.schema();
        }

        @Override
        public Cursor open(Plan plan) {
            return engine.open(plan);
        }

        @Override
        public Optional<String> refusal(Plan plan) {
            return engine.refusal(plan);
        }

        @Override
        public Predicate superset(Table table, Predicate predicate) {
            asked.incrementAndGet();
            return engine.superset(table, predicate);
        }

        @Override
        public Explanation explain(Plan plan) {
            return engine.explain(plan);
        }
    }

    /** Beyond eight levels no database is asked for all of them in one query. */
    @ParameterizedTest
    @ValueSource(ints = {1, 7, 16})
    void in_nestedConditions_areEachPlannedOnce(int levels) throws Exception {
        try (TestDatabase server = TestDatabase.create(Kind.H2)) {
            Counting engine = new Counting(Part.connected(server), new AtomicInteger());
            TypedTable<Thing> things = TypedTable.of(engine, Thing.TABLE);
            Condition<Thing> condition = Thing.LENGTH.greaterThan(7);
            for (int i = 0; i < levels; i++) {
                condition = Thing.ID.in(things.stream().filter(condition).map(Thing.ID));
            }
            AtomicInteger asked = engine.asked();
            assertThat(things.stream().filter(condition).count())
                    .isEqualTo(
                            StreamConformanceTest.LIST.stream()
                                    .filter(t -> t.length() != null && t.length() > 7)
                                    .count());
            assertThat(asked.get()).isLessThanOrEqualTo(levels <= 7 ? levels : levels * levels);
            asked.set(0);
            assertThat(things.explain(things.stream().filter(condition))).contains("SQL: ");
            assertThat(asked.get()).isLessThanOrEqualTo(4 * levels);
        }
    }
}
