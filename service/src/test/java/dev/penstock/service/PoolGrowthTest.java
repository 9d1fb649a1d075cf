package dev.penstock.service;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Pools between their least and largest size: no call waits for an instance that nobody starts. */
@Timeout(120)
class PoolGrowthTest {
    /** A service that does what it is told. */
    interface Service {}

    private static ServicePoolBuilder<Service> pool(int least, int most) {
        return ServicePool.<Service>of(Service.class, () -> new Service() {})
                .size(least, most)
                .name("growing")
                .callTimeout(Duration.ZERO);
    }

    /** A call that keeps its instance until it is let go, and then throws if it is to. */
    private static CompletableFuture<Boolean> hold(
            ServicePool<Service> pool, CountDownLatch go, boolean fails) throws Exception {
        CountDownLatch runs = new CountDownLatch(1);
        CompletableFuture<Boolean> held =
                pool.async(service -> {
                    runs.countDown();
                    go.await();
                    if (fails) {
                        throw new IllegalStateException("over");
                    }
                    return true;
                });
        assertThat(runs.await(90, SECONDS)).isTrue();
        return held;
    }

    @Test
    void queue_none_poolThatMayGrowServesAsManyAsItsLargestSize() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        try (ServicePool<Service> pool = pool(0, 3).queue(0).start()) {
            for (int i = 0; i < 3; i++) {
                hold(pool, go, false);
            }

            assertThatThrownBy(() -> pool.call(service -> 1))
                    .isInstanceOf(CallRejectedException.class);

            assertThat(pool.figures().size()).isEqualTo(3);
            assertThat(pool.figures().rejections()).isOne();
            go.countDown();
        }
    }

    @Test
    void queue_noneAndAutoscale_onlyTheFirstCallGrowsThePoolAtOnce() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        try (ServicePool<Service> pool =
                pool(0, 3).queue(0).autoscale(Duration.ofHours(1)).start()) {
            hold(pool, go, false);

            assertThatThrownBy(() -> pool.call(service -> 1))
                    .isInstanceOf(CallRejectedException.class);

            go.countDown();
        }
    }

    @Test
    void call_allInstancesStoppedWhileItWaits_isServedByAnotherOne() throws Exception {
        AtomicInteger starts = new AtomicInteger();
        CountDownLatch go = new CountDownLatch(1);
        try (ServicePool<Service> pool =
                ServicePool.<Service>of(
                                Service.class,
                                () -> {
                                    if (starts.incrementAndGet() == 2) {
                                        throw new IllegalStateException("no second one");
                                    }
                                    return new Service() {};
                                })
                        .size(1, 4)
                        .callTimeout(Duration.ZERO)
                        .supervise(Supervision.standard().stop(IllegalStateException.class))
                        .start()) {
            CompletableFuture<Boolean> first = hold(pool, go, true);
            CompletableFuture<Boolean> waiting = pool.async(service -> true);

            assertThat(waiting.get(90, SECONDS)).isTrue();
            assertThat(starts.get()).isGreaterThan(2);
            go.countDown();
            assertThatThrownBy(() -> first.get(90, SECONDS)).hasRootCauseMessage("over");
        }
    }

    @Test
    void calls_whilePoolShrinksToNone_areAllServed() {
        try (ServicePool<Service> pool = pool(0, 1).shrinkAfter(Duration.ofNanos(1)).start()) {
            for (int i = 0; i < 3_000; i++) {
                int number = i;
                assertThat(pool.<Integer, RuntimeException>call(service -> number))
                        .isEqualTo(number);
            }
        }
    }

    @Test
    void child_failsForGood_callsOfAnUnqueuedPoolAreNotRefused() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        CompletableFuture<ServicePool<Service>> child = new CompletableFuture<>();
        try (ServicePool<Service> pool =
                ServicePool.<Service>of(
                                Service.class,
                                place -> {
                                    if (place.index() == 0 && !child.isDone()) {
                                        child.complete(
                                                place.pool(Service.class, _ -> new Service() {})
                                                        .size(1)
                                                        .supervise(
                                                                Supervision.standard()
                                                                        .stop(
                                                                                RuntimeException
                                                                                        .class))
                                                        .start());
                                    }
                                    return new Service() {};
                                })
                        .size(8)
                        .queue(0)
                        .callTimeout(Duration.ZERO)
                        .start()) {
            AtomicInteger made = new AtomicInteger();
            CompletableFuture<Void> calls =
                    CompletableFuture.runAsync(
                            () -> {
                                while (!over.get()) {
                                    pool.run(service -> made.incrementAndGet());
                                }
                            },
                            // It never waits, and would keep the only carrier of virtual threads.
                            task -> Thread.ofPlatform().daemon().start(task));
            ServicePoolTest.until(() -> made.get() > 0);
            assertThatThrownBy(() ->
                            child.get(90, SECONDS)
                                    .run(service -> {
                                        throw new IllegalStateException("child");
                                    }))
                    .hasMessage("child");

            ServicePoolTest.until(() -> pool.figures().restarts() == 1);
            over.set(true);

            calls.get(90, SECONDS);
            assertThat(pool.figures().rejections()).isZero();
        }
    }

    @Test
    void quarantine_moreHungCallsThanInstances_replacementsAreOwedUntilOneEnds() throws Exception {
        AtomicInteger made = new AtomicInteger();
        AtomicBoolean over = new AtomicBoolean();
        try (ServicePool<Service> pool =
                ServicePool.<Service>of(
                                Service.class,
                                () -> {
                                    made.incrementAndGet();
                                    return new Service() {};
                                })
                        .size(1)
                        .callTimeout(Duration.ofMillis(20))
                        .start()) {
            assertThat(ServicePoolTest.hung(pool, over)).isCompletedExceptionally();
            assertThat(ServicePoolTest.hung(pool, over)).isCompletedExceptionally();
            int replaced = made.get(); // more than two where a call was refused

            assertThat(pool.figures().quarantined()).isEqualTo(2);
            assertThat(pool.figures().size()).isZero();
            assertThat(pool.isReady()).isFalse();
            over.set(true);
            assertThat(pool.awaitReady(Duration.ofSeconds(90))).isTrue();
            ServicePoolTest.until(() -> pool.figures().quarantined() == 0);
            assertThat(pool.figures().size()).isOne();
            assertThat(made).hasValue(replaced + 1);
        } finally {
            over.set(true);
        }
    }

    @Test
    void awaitReady_poolThatIsClosedOrNeverReady_returnsFalse() throws Exception {
        ServicePool<Service> pool = pool(1, 1).start();
        assertThat(pool.awaitReady(Duration.ofSeconds(Long.MAX_VALUE))).isTrue();

        pool.close();

        assertThat(pool.awaitReady(Duration.ofSeconds(Long.MAX_VALUE))).isFalse();
    }

    @Test
    void awaitReady_firstStartsFail_waitsForTheOneThatSucceeds() throws Exception {
        CountDownLatch works = new CountDownLatch(1);
        try (ServicePool<Service> pool =
                ServicePool.<Service>of(
                                Service.class,
                                () -> {
                                    if (works.getCount() > 0) {
                                        throw new IllegalStateException("not yet");
                                    }
                                    return new Service() {};
                                })
                        .size(1)
                        .supervise(Supervision.standard().backoff(BackoffTest.SHORT))
                        .start()) {
            assertThat(pool.awaitReady(Duration.ZERO)).isFalse();

            works.countDown();

            assertThat(pool.awaitReady(Duration.ofSeconds(90))).isTrue();
        }
    }

    @Test
    void resize_whileStartsFail_givesUpThoseThatAreTooMany() throws Exception {
        CountDownLatch works = new CountDownLatch(1);
        try (ServicePool<Service> pool =
                ServicePool.<Service>of(
                                Service.class,
                                () -> {
                                    if (works.getCount() > 0) {
                                        throw new IllegalStateException("not yet");
                                    }
                                    return new Service() {};
                                })
                        .size(4)
                        .supervise(
                                Supervision.standard()
                                        .backoff(
                                                new Backoff(
                                                        Duration.ofSeconds(2),
                                                        Duration.ofSeconds(2),
                                                        1,
                                                        0)))
                        .start()) {
            assertThat(pool.figures().starting()).isEqualTo(4);

            pool.resize(1, 2);

            ServicePoolTest.until(() -> pool.figures().size() == 2);
            works.countDown();
            ServicePoolTest.until(() -> pool.figures().idle() == 2);
        }
    }
}
