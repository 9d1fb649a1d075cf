package dev.penstock.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import dev.penstock.query.Plan;
import dev.penstock.query.Table;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests of the plans that were checked a moment ago. */
class CheckedPlansTest {
    private static final Table TABLE =
            new Table(
                    null,
                    "t",
                    List.of(new Column("n", ColumnType.INT, "integer", false, 11)),
                    List.of("n"),
                    false);

    private final CheckedPlans plans = new CheckedPlans();

    private static Plan plan(long rows) {
        return Plan.of(TABLE).limit(rows);
    }

    @Test
    void take_givesWhatWasKeptForThatPlan_once() {
        Plan asked = plan(1);
        Plan answered = plan(2);
        plans.keep(asked, answered);
        assertThat(plans.take(plan(1))).as("of an equal plan").isNull();
        assertThat(plans.take(asked)).isSameAs(answered);
        assertThat(plans.take(asked)).as("once more").isNull();
    }

    @Test
    void keep_ofTheNext_forgetsTheLast() {
        Plan first = plan(1);
        Plan second = plan(2);
        plans.keep(first, first);
        plans.keep(second, second);
        assertThat(plans.take(first)).isNull();
        assertThat(plans.take(second)).isSameAs(second);
    }

    /** More threads than places: each gets its own, or nothing. */
    @Test
    void take_byManyThreads_neverGivesAnothersPlan() throws Exception {
        AtomicInteger given = new AtomicInteger();
        try (ExecutorService threads = Executors.newFixedThreadPool(48)) {
            List<Future<?>> all =
                    IntStream.range(0, 48)
                            .<Future<?>>mapToObj(thread ->
                                    threads.submit(() -> {
                                        for (int i = 0; i < 2000; i++) {
                                            Plan asked = plan(thread);
                                            Plan answered = plan(thread);
                                            plans.keep(asked, answered);
                                            Plan taken = plans.take(asked);
                                            if (taken != null) {
                                                assertThat(taken).isSameAs(answered);
                                                given.incrementAndGet();
                                            }
                                        }
                                    }))
                            .toList();
            for (Future<?> each : all) {
                each.get();
            }
        }
        assertThat(given).hasPositiveValue();
    }
}
