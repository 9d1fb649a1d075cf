package dev.penstock.service.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.service.proxy.ProxyCall;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Batches in front of a pool that counts. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class BatchTest {
    private static final long WAIT = 60;

    /** A pool of so many instances, which queues nothing: a call beyond them shows in a figure. */
    private static final class CountingPool implements BatchPool {
        private final int size;
        private final boolean inside;
        private final boolean direct;
        private final AtomicInteger busy = new AtomicInteger();
        final AtomicInteger most = new AtomicInteger();
        final AtomicInteger madeInside = new AtomicInteger();

        CountingPool(int size, boolean inside, boolean direct) {
            this.size = size;
            this.inside = inside;
            this.direct = direct;
            busy.set(inside ? 1 : 0);
        }

        @Override
        public CompletableFuture<@Nullable Object> queue(ProxyCall call, boolean admitted) {
            most.accumulateAndGet(busy.incrementAndGet(), Math::max);
            CompletableFuture<@Nullable Object> future = new CompletableFuture<>();
            if (direct) {
                run(call, future);
            } else {
                Thread.startVirtualThread(() -> run(call, future));
            }
            return future;
        }

        private void run(ProxyCall call, CompletableFuture<@Nullable Object> future) {
            try {
                Object result = call.call("instance");
                busy.decrementAndGet();
                future.complete(result);
            } catch (Throwable e) {
                busy.decrementAndGet();
                future.completeExceptionally(e);
            }
        }

        /** Waits for instances whose cancelled calls have ended, and which are on their way back. */
        void awaitBusy(int instances) {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT);
            while (busy.get() != instances && System.nanoTime() < end) {
                Thread.onSpinWait();
            }
            assertThat(busy).hasValue(instances);
        }

        @Override
        public int freeCapacity() {
            return size - busy.get();
        }

        @Override
        public boolean isInside() {
            return inside;
        }

        @Override
        public @Nullable Object callInside(ProxyCall call) throws Throwable {
            madeInside.incrementAndGet();
            return call.call("own instance");
        }

        @Override
        public RuntimeException interrupted() {
            return new IllegalStateException("interrupted");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 100})
    void run_anyNumberOfInstances_resultsAreInTheItemsOrder(int size) throws Throwable {
        for (int items : new int[] {0, 1, 2, size, size + 1, 1_000}) {
            List<Integer> numbers = IntStream.range(0, items).boxed().toList();
            CountingPool pool = new CountingPool(size, false, false);

            List<@Nullable Object> results =
                    new Batch(pool, numbers, item -> _ -> "r" + item).run();

            assertThat(results)
                    .isEqualTo(IntStream.range(0, items).mapToObj(i -> "r" + i).toList());
            assertThat(pool.most.get()).isBetween(Math.min(items, 1), Math.min(items, size) + 1);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void run_100_000ItemsThatAreOverAtOnce_needNoDeepStack(boolean direct) throws Throwable {
        int items = 100_000;
        CountingPool pool = new CountingPool(3, false, direct);

        List<@Nullable Object> results =
                new Batch(pool, Collections.nCopies(items, 1), item -> _ -> item).run();

        assertThat(results).hasSize(items).containsOnly(1);
        assertThat(pool.most.get()).isLessThanOrEqualTo(4);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 8})
    void run_insideAnInstance_theCallerTakesItemsToo(int size) throws Throwable {
        CountingPool pool = new CountingPool(size, true, false);
        List<Integer> numbers = IntStream.range(0, 500).boxed().toList();

        List<@Nullable Object> results = new Batch(pool, numbers, item -> _ -> item).run();

        assertThat(results).isEqualTo(numbers);
        if (size == 1) {
            assertThat(pool.madeInside).hasValue(500);
        }
    }

    @Test
    void run_oneFails_theOthersAreCancelledAndOverBeforeItThrows() {
        int size = 4;
        AtomicInteger begun = new AtomicInteger();
        AtomicInteger running = new AtomicInteger();
        CountDownLatch allRun = new CountDownLatch(size);
        IOException failure = new IOException("the third");
        Function<Object, ProxyCall> calls =
                item ->
                        _ -> {
                            begun.incrementAndGet();
                            running.incrementAndGet();
                            allRun.countDown();
                            try {
                                assertThat(allRun.await(WAIT, TimeUnit.SECONDS)).isTrue();
                                if (item.equals(2)) {
                                    throw failure;
                                }
                                return item;
                            } finally {
                                running.decrementAndGet();
                            }
                        };
        CountingPool pool = new CountingPool(size, false, false);
        List<Integer> numbers = IntStream.range(0, 100_000).boxed().toList();

        assertThatThrownBy(() -> new Batch(pool, numbers, calls).run()).isSameAs(failure);

        assertThat(running).hasValue(0);
        assertThat(begun.get()).isLessThan(100_000);
        pool.awaitBusy(0);
    }

    @Test
    void run_callerIsInterrupted_cancelsAndKeepsTheFlag() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        CompletableFuture<String> outcome = new CompletableFuture<>();
        CountingPool pool = new CountingPool(1, false, false);
        Thread caller =
                Thread.startVirtualThread(() -> {
                    try {
                        new Batch(
                                        pool,
                                        List.of(1, 2),
                                        _ ->
                                                _ -> {
                                                    begun.countDown();
                                                    end.await();
                                                    return null;
                                                })
                                .run();
                    } catch (Throwable e) {
                        outcome.complete(e.getMessage() + Thread.currentThread().isInterrupted());
                    }
                });
        assertThat(begun.await(WAIT, TimeUnit.SECONDS)).isTrue();
        caller.interrupt();
        caller.join(Duration.ofMillis(1));
        assertThat(outcome).as("the call that began is not over").isNotDone();
        end.countDown();

        assertThat(outcome.get(WAIT, TimeUnit.SECONDS)).isEqualTo("interruptedtrue");
    }

    @Test
    void run_failuresAtRandom_oneOfThemIsThrownAndNothingIsLeft() {
        long seed = Long.getLong("penstock.seed", new Random().nextLong());
        Random random = new Random(seed);
        for (int i = 0; i < 300; i++) {
            int items = random.nextInt(200);
            int size = 1 + random.nextInt(8);
            int bad = random.nextInt(1 + items);
            CountingPool pool = new CountingPool(size, random.nextBoolean(), random.nextBoolean());
            int before = pool.busy.get();
            List<Integer> numbers = IntStream.range(0, items).boxed().toList();
            Batch batch =
                    new Batch(
                            pool,
                            numbers,
                            item ->
                                    _ -> {
                                        if (item.equals(bad)) {
                                            throw new IOException("bad " + item);
                                        }
                                        return item;
                                    });
            if (bad < items) {
                assertThatThrownBy(batch::run)
                        .as("-Dpenstock.seed=" + seed)
                        .hasMessage("bad " + bad);
            } else {
                assertThat(run(batch)).as("-Dpenstock.seed=" + seed).isEqualTo(numbers);
            }
            pool.awaitBusy(before);
        }
    }

    private static List<@Nullable Object> run(Batch batch) {
        try {
            return batch.run();
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }
}
