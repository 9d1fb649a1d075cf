package dev.penstock.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Instances that own pools. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class PoolChildrenTest {
    private static final long WAIT = 60;

    private final List<ServicePool<Worker>> children = new CopyOnWriteArrayList<>();
    private final AtomicInteger owners = new AtomicInteger();

    /** Splits a task over its workers. */
    public interface Manager {
        int sum(List<Integer> numbers);

        void breakWorkers();

        int fail();
    }

    /** Does a part of a task. */
    public interface Worker {
        int square(int number);

        int crash();
    }

    private static final class SquaringWorker implements Worker {
        @Override
        public int square(int number) {
            return number * number;
        }

        @Override
        public int crash() {
            throw new IllegalStateException("worker");
        }
    }

    private final class OwningManager implements Manager {
        private final ServicePool<Worker> workers;

        OwningManager(InstanceContext context) {
            owners.incrementAndGet();
            workers =
                    context.pool(Worker.class, _ -> new SquaringWorker())
                            .size(3)
                            .supervise(Supervision.standard().stop(IllegalStateException.class))
                            .start();
            children.add(workers);
        }

        @Override
        public int sum(List<Integer> numbers) {
            return workers.forEach(numbers, Worker::square).stream()
                    .mapToInt(Integer::intValue)
                    .sum();
        }

        @Override
        public void breakWorkers() {
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> workers.call(Worker::crash)).hasMessage("worker");
            }
        }

        @Override
        public int fail() {
            throw new IllegalArgumentException("manager");
        }
    }

    @Test
    void call_taskIsSplit_childrenDoIt() {
        try (ServicePool<Manager> pool = managers(Supervision.standard())) {
            int sum = pool.proxy().sum(List.of(1, 2, 3, 4, 5));

            assertThat(sum).isEqualTo(55);
            assertThat(children.getFirst().name()).isEqualTo("Manager.0.Worker");
        }
        assertThat(children.getFirst().isReady()).isFalse();
        assertClosed(children.getFirst());
    }

    @Test
    void restart_ofTheOwner_closesItsChildrenAndMakesNewOnes() {
        try (ServicePool<Manager> pool = managers(Supervision.standard())) {
            assertThatThrownBy(() -> pool.proxy().fail()).hasMessage("manager");

            assertThat(pool.proxy().sum(List.of(1, 2))).isEqualTo(5);

            assertThat(owners).hasValue(2);
            assertThat(children).hasSize(2);
            await(() -> !children.getFirst().isReady());
            assertClosed(children.getFirst());
            assertThat(children.getLast().isReady()).isTrue();
        }
        assertClosed(children.getLast());
    }

    @Test
    void failureForGood_ofAChild_restartsTheOwner() {
        try (ServicePool<Manager> pool = managers(Supervision.standard())) {
            pool.run(Manager::breakWorkers);
            await(() -> owners.get() == 2);

            assertThat(pool.proxy().sum(List.of(3))).isEqualTo(9);
            assertThat(pool.figures().restarts()).isOne();
        }
    }

    @Test
    void failureForGood_ofAChildWhoseOwnerIsToStop_stopsTheOwner() {
        Supervision strict = Supervision.standard().stop(ServiceException.class);
        try (ServicePool<Manager> pool = managers(strict)) {
            pool.run(Manager::breakWorkers);
            await(() -> !pool.isReady());

            assertThatThrownBy(() -> pool.proxy().sum(List.of(3)))
                    .isInstanceOfSatisfying(
                            ServiceException.class,
                            e -> assertThat(e.kind()).isEqualTo(ServiceException.Kind.STOPPED));
            assertThat(owners).hasValue(1);
        }
    }

    @Test
    void failureForGood_ofAChildInACallThatIsToStopTheOwner_stopsTheOwner() {
        Supervision strict = Supervision.standard().stop(IllegalArgumentException.class);
        try (ServicePool<Manager> pool = managers(strict)) {
            assertThatThrownBy(() ->
                            pool.run(manager -> {
                                manager.breakWorkers();
                                manager.fail();
                            }))
                    .hasMessage("manager");

            assertThat(pool.isReady()).isFalse();
            assertThat(pool.figures().stopped()).isOne();
            assertThat(owners).hasValue(1);
        }
    }

    @Test
    void start_ofAChildWhoseOwnerHasEnded_isRefusedAndLeavesNothing() throws Exception {
        CompletableFuture<InstanceContext> context = new CompletableFuture<>();
        AtomicInteger started = new AtomicInteger();
        ServicePool<Runnable> pool =
                ServicePool.<Runnable>of(
                                Runnable.class,
                                place -> {
                                    context.complete(place);
                                    return () -> {};
                                })
                        .size(1)
                        .start();
        InstanceContext owner = context.get(WAIT, TimeUnit.SECONDS);
        pool.run(Runnable::run);
        pool.close();

        assertThatThrownBy(() ->
                        owner.pool(
                                        Worker.class,
                                        _ -> {
                                            started.incrementAndGet();
                                            return new SquaringWorker();
                                        })
                                .start())
                .isInstanceOfSatisfying(
                        ServiceException.class,
                        e -> assertThat(e.kind()).isEqualTo(ServiceException.Kind.CLOSED))
                .hasMessage(
                        "Pool Runnable.0.Worker: its owner, instance 0 of pool Runnable, has been stopped; start"
                                + " children from its factory, its hooks or its calls.");
    }

    private ServicePool<Manager> managers(Supervision supervision) {
        return ServicePool.<Manager>of(Manager.class, OwningManager::new)
                .size(1)
                .supervise(supervision)
                .callTimeout(Duration.ofSeconds(WAIT))
                .start();
    }

    private static void assertClosed(ServicePool<Worker> child) {
        assertThatThrownBy(() -> child.call(worker -> worker.square(1)))
                .isInstanceOfSatisfying(
                        ServiceException.class,
                        e -> assertThat(e.kind()).isEqualTo(ServiceException.Kind.CLOSED));
    }

    private static void await(BooleanSupplier condition) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT);
        while (!condition.getAsBoolean() && System.nanoTime() < end) {
            Thread.onSpinWait();
        }
        assertThat(condition.getAsBoolean()).isTrue();
    }
}
