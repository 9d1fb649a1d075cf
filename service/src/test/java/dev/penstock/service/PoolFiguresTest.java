package dev.penstock.service;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The figures of pools, and what listeners are told of calls. */
@Timeout(120)
class PoolFiguresTest {
    /** A service that does what it is told. */
    interface Service {}

    private static ServicePoolBuilder<Service> pool(int size) {
        return ServicePool.<Service>of(Service.class, () -> new Service() {}).size(size);
    }

    @Test
    void figures_off_callsAreNotCountedAndTheRestIs() {
        try (ServicePool<Service> pool = pool(2).figures(false).start()) {
            for (int i = 0; i < 10; i++) {
                pool.<Integer, RuntimeException>call(service -> 1);
            }

            PoolFigures figures = pool.figures();

            assertThat(figures.calls()).isZero();
            assertThat(figures.callTime().count()).isZero();
            assertThat(figures.queueTime().count()).isZero();
            assertThat(figures.idle()).isEqualTo(2);
        }
    }

    @Test
    void histograms_countsAndSums_areThoseOfTheCalls() {
        int calls = 500;
        long[] ran = new long[1];
        PoolListener sums =
                new PoolListener() {
                    @Override
                    public void called(
                            String method, long queued, long nanos, @Nullable Throwable failure) {
                        ran[0] += nanos;
                    }
                };
        try (ServicePool<Service> pool = pool(1).listener(sums).start()) {
            for (int i = 0; i < calls; i++) {
                pool.<Integer, RuntimeException>call(service -> 1);
            }
            assertThatThrownBy(() ->
                            pool.run(service -> {
                                throw new IllegalStateException("restarted");
                            }))
                    .hasMessage("restarted");
            pool.<Integer, RuntimeException>call(service -> 1);

            PoolFigures figures = pool.figures();

            assertThat(figures.calls()).isEqualTo(calls + 2);
            assertThat(figures.failures()).isOne();
            assertThat(figures.callTime().count()).isEqualTo(calls + 2);
            assertThat(figures.queueTime().count()).isEqualTo(calls + 2);
            assertThat(figures.callTime().totalNanos()).isEqualTo(ran[0]);
            assertThat(figures.callTime().mean().toNanos()).isEqualTo(ran[0] / (calls + 2));
            assertThat(figures.callTime().quantile(1))
                    .isGreaterThanOrEqualTo(figures.callTime().quantile(0.5));
        }
    }

    @Test
    void key_callsThatWaitForTheirKey_countAsWaitingAndACancelledOneIsNoTimeout() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        try (ServicePool<Service> pool = pool(4).callTimeout(Duration.ofSeconds(90)).start()) {
            CompletableFuture<Boolean> first = held(pool.key("a"), go);
            List<CompletableFuture<Integer>> later =
                    List.of(pool.key("a").async(_ -> 1), pool.key("a").async(_ -> 2));
            assertThat(pool.figures().waiting()).isEqualTo(2);

            later.get(0).cancel(true);

            assertThat(pool.figures().waiting()).isOne();
            assertThat(pool.figures().timeouts()).isZero();
            go.countDown();
            assertThat(first.get(90, SECONDS)).isTrue();
            assertThat(later.get(1).get(90, SECONDS)).isEqualTo(2);
            assertThat(pool.figures().waiting()).isZero();
        }
    }

    @Test
    void key_lanesFull_listenerIsToldUnderNoLock() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        AtomicReference<ServicePool<Service>> told = new AtomicReference<>();
        AtomicInteger rejections = new AtomicInteger();
        PoolListener enters =
                new PoolListener() {
                    @Override
                    public void rejected(String method) {
                        if (rejections.getAndIncrement() == 0) {
                            CompletableFuture.runAsync(
                                            () -> told.get().key("a").async(_ -> 1),
                                            Thread::startVirtualThread)
                                    .orTimeout(60, SECONDS)
                                    .join();
                            go.countDown();
                        }
                    }
                };
        try (ServicePool<Service> pool =
                pool(2).queue(1).listener(enters).callTimeout(Duration.ofSeconds(90)).start()) {
            told.set(pool);
            CompletableFuture<Boolean> first = held(pool.key("a"), go);
            CompletableFuture<Integer> second = pool.key("a").async(_ -> 2);

            assertThatThrownBy(() -> pool.key("a").call(_ -> 3))
                    .isInstanceOf(CallRejectedException.class);

            assertThat(first.get(60, SECONDS)).isTrue();
            assertThat(second.get(60, SECONDS)).isEqualTo(2);
            assertThat(rejections).hasValue(2);
        } finally {
            go.countDown();
        }
    }

    @Test
    void async_cancelledJustAsItsSpanBegins_endsTheSpanAndFreesTheInstance() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        AtomicReference<CompletableFuture<Integer>> cancelled = new AtomicReference<>();
        AtomicInteger spans = new AtomicInteger();
        PoolListener cancels =
                new PoolListener() {
                    @Override
                    public @Nullable Object beginCall(String method) {
                        spans.incrementAndGet();
                        CompletableFuture<Integer> future = cancelled.get();
                        if (future != null) {
                            future.cancel(true);
                        }
                        return null;
                    }

                    @Override
                    public void endCall(@Nullable Object span, @Nullable Throwable failure) {
                        spans.decrementAndGet();
                    }
                };
        try (ServicePool<Service> pool =
                pool(1).listener(cancels).callTimeout(Duration.ofSeconds(90)).start()) {
            CompletableFuture<Boolean> first = held(pool.key("a"), go);
            AtomicInteger runs = new AtomicInteger();
            cancelled.set(pool.async(service -> runs.incrementAndGet()));

            go.countDown();

            assertThat(first.get(90, SECONDS)).isTrue();
            ServicePoolTest.until(() -> pool.figures().idle() == 1 && spans.get() == 0);
            assertThat(cancelled.get()).isCancelled();
            assertThat(runs).hasValue(0);
        }
    }

    private static CompletableFuture<Boolean> held(KeyedPool<Service> pool, CountDownLatch go)
            throws InterruptedException {
        CountDownLatch runs = new CountDownLatch(1);
        CompletableFuture<Boolean> held =
                pool.async(_ -> {
                    runs.countDown();
                    go.await();
                    return true;
                });
        assertThat(runs.await(90, SECONDS)).isTrue();
        return held;
    }
}
