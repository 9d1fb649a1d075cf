package dev.penstock.service;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.service.PoolFigures.Instance;
import dev.penstock.service.PoolFigures.State;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The instances of a pool, as its figures show them. */
@Timeout(120)
class PoolInstancesTest {
    private final CountDownLatch go = new CountDownLatch(1);

    /** Waits until it is let go, whatever interrupts it. */
    private int heedless() {
        boolean interrupted = false;
        while (true) {
            try {
                go.await();
                break;
            } catch (InterruptedException _) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return 1;
    }

    private static List<State> states(ServicePool<?> pool) {
        return pool.instances().stream().map(Instance::state).toList();
    }

    @Test
    void instances_idleAndBusy_areThereByTheirNumbers() throws Exception {
        try (ServicePool<Object> pool =
                ServicePool.of(Object.class, Object::new)
                        .size(3)
                        .callTimeout(Duration.ZERO)
                        .start()) {
            pool.run(service -> {});
            CountDownLatch runs = new CountDownLatch(1);
            CompletableFuture<Integer> call =
                    pool.async(service -> {
                        runs.countDown();
                        return heedless();
                    });
            assertThat(runs.await(90, SECONDS)).isTrue();

            List<Instance> instances = pool.instances();

            assertThat(instances).extracting(Instance::index).containsExactly(0, 1, 2);
            assertThat(instances)
                    .extracting(Instance::state)
                    .containsExactlyInAnyOrder(State.IDLE, State.IDLE, State.BUSY);
            assertThat(instances.stream().mapToLong(Instance::calls).sum()).isEqualTo(1);
            assertThat(instances)
                    .allSatisfy(each ->
                            assertThat(each.running().isPositive())
                                    .isEqualTo(each.state() == State.BUSY));
            go.countDown();
            assertThat(call.get(90, SECONDS)).isEqualTo(1);
        }
    }

    @Test
    void instances_callBeyondItsDeadline_isInQuarantineBesideItsReplacement() {
        AtomicBoolean over = new AtomicBoolean();
        try (ServicePool<Object> pool =
                ServicePool.of(Object.class, Object::new)
                        .size(1)
                        .callTimeout(Duration.ofMillis(20))
                        .start()) {
            CompletableFuture<Integer> call = ServicePoolTest.hung(pool, over);

            ServicePoolTest.until(() -> states(pool).size() == 2 && pool.isReady());

            assertThat(states(pool)).containsExactlyInAnyOrder(State.QUARANTINED, State.IDLE);
            assertThat(pool.instances()).extracting(Instance::index).containsExactly(0, 0);
            over.set(true);
            ServicePoolTest.until(() -> states(pool).equals(List.of(State.IDLE)));
            assertThat(call).isCompletedExceptionally();
        } finally {
            over.set(true);
        }
    }

    @Test
    void instances_startAndStopThatTakeTime_areShown() throws Exception {
        CountDownLatch start = new CountDownLatch(1);
        CountDownLatch stop = new CountDownLatch(1);
        try (ServicePool<Object> pool =
                ServicePool.of(
                                Object.class,
                                context -> {
                                    if (context.index() > 0) {
                                        start.await();
                                    }
                                    return new Object();
                                })
                        .onStop((service, context) -> stop.await())
                        .size(1)
                        .start()) {
            pool.resize(2, 2);
            assertThat(states(pool)).containsExactly(State.IDLE, State.STARTING);
            start.countDown();
            ServicePoolTest.until(() -> states(pool).equals(List.of(State.IDLE, State.IDLE)));

            pool.resize(1, 1);

            assertThat(states(pool)).containsExactlyInAnyOrder(State.IDLE, State.STOPPING);
            stop.countDown();
            ServicePoolTest.until(() -> states(pool).equals(List.of(State.IDLE)));
        } finally {
            stop.countDown();
        }
    }
}
