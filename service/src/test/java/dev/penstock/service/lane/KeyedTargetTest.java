package dev.penstock.service.lane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.service.proxy.ProxyTarget;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls for keys, in front of a pool of permits. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class KeyedTargetTest {
    private static final long WAIT = 60;

    private final FakePool pool = new FakePool(4);

    /** Limits whose exceptions name them. */
    private record Limits(int mostWaiting, long timeoutNanos) implements LaneLimits {
        @Override
        public RuntimeException full(String method) {
            return new IllegalStateException("full " + method);
        }

        @Override
        public RuntimeException timedOut(String method, long waitedNanos) {
            return new IllegalStateException("timed out " + method);
        }

        @Override
        public RuntimeException interrupted(String method) {
            return new IllegalStateException("interrupted " + method);
        }

        @Override
        public void unseen(String method, Throwable failure) {}
    }

    @Test
    void async_manyCallsForAFewKeys_runInOrderOneAtATimePerKey() throws Exception {
        int calls = 20_000;
        int keys = 7;
        Lanes lanes = lanes(calls, Duration.ZERO);
        List<List<Integer>> seen = new ArrayList<>();
        List<AtomicInteger> running = new ArrayList<>();
        for (int i = 0; i < keys; i++) {
            seen.add(Collections.synchronizedList(new ArrayList<>()));
            running.add(new AtomicInteger());
        }
        List<CompletableFuture<?>> futures = new ArrayList<>();
        for (int i = 0; i < calls; i++) {
            int call = i;
            int key = i % keys;
            futures.add(
                    keyed(lanes, key)
                            .async(
                                    "m",
                                    _ -> {
                                        assertThat(running.get(key).incrementAndGet()).isOne();
                                        seen.get(key).add(call);
                                        running.get(key).decrementAndGet();
                                        return null;
                                    }));
        }
        all(futures).get(WAIT, TimeUnit.SECONDS);

        for (int key = 0; key < keys; key++) {
            assertThat(seen.get(key)).isSorted().hasSizeBetween(calls / keys, calls / keys + 1);
        }
        assertEmpty(lanes);
    }

    @Test
    void call_keysComeAndGo_noLaneIsLeft() {
        Lanes lanes = lanes(10, Duration.ofSeconds(WAIT));
        for (int i = 0; i < 50_000; i++) {
            ProxyTarget target = keyed(lanes, "key" + i);
            Object lease = target.borrow("m");
            if (i % 2 == 0) {
                target.complete(lease);
            } else {
                assertThat(target.fail(lease, new Exception("x"))).hasMessage("x");
            }
        }
        assertEmpty(lanes);
    }

    @Test
    void call_lanesAreFull_isRefusedAndLeavesNothing() throws Exception {
        Lanes lanes = lanes(2, Duration.ofSeconds(WAIT));
        CompletableFuture<@Nullable Object> held = new CompletableFuture<>();
        CompletableFuture<?> first = keyed(lanes, "a").stage("first", _ -> held);
        CompletableFuture<?> second = keyed(lanes, "a").async("second", _ -> null);
        keyed(lanes, "a").oneway("third", _ -> null);

        assertThat(lanes.waiting()).isEqualTo(2);
        assertThatThrownBy(() -> keyed(lanes, "a").borrow("fourth")).hasMessage("full fourth");
        assertThatThrownBy(() -> keyed(lanes, "a").oneway("fifth", _ -> null))
                .hasMessage("full fifth");
        assertThat(keyed(lanes, "a").async("sixth", _ -> null))
                .isCompletedExceptionally()
                .satisfies(future -> assertThat(future.exceptionNow()).hasMessage("full sixth"));
        Object other = keyed(lanes, "b").borrow("other keys are free");
        keyed(lanes, "b").complete(other);
        assertThat(second).isNotDone();

        held.complete(null);
        first.get(WAIT, TimeUnit.SECONDS);
        second.get(WAIT, TimeUnit.SECONDS);
        awaitEmpty(lanes);
    }

    @Test
    void call_fromInsideACallForTheSameKey_doesNotWaitForItself() {
        Lanes lanes = lanes(0, Duration.ofSeconds(WAIT));
        ProxyTarget target = keyed(lanes, "a");

        Object outer = target.borrow("outer");
        Object inner = target.borrow("inner");
        target.complete(inner);
        assertThatThrownBy(() -> onAnotherThread(() -> target.borrow("other")))
                .hasMessage("full other");
        target.complete(outer);

        assertEmpty(lanes);
    }

    @Test
    void borrow_poolRefuses_leavesTheLane() {
        Lanes lanes = lanes(1, Duration.ofSeconds(WAIT));
        pool.refusal = new IllegalStateException("refused");

        assertThatThrownBy(() -> keyed(lanes, "a").borrow("m")).hasMessage("refused");
        assertThatThrownBy(() -> keyed(lanes, "a").oneway("m", _ -> null)).hasMessage("refused");

        assertEmpty(lanes);
    }

    @Test
    void async_poolRefusesAllThatWait_endsInALoopNotInARecursion() {
        int calls = 100_000;
        Lanes lanes = lanes(calls, Duration.ZERO);
        ProxyTarget target = keyed(lanes, "a");
        Object first = target.borrow("first");
        List<CompletableFuture<?>> futures = new ArrayList<>();
        for (int i = 0; i < calls; i++) {
            futures.add(target.async("m", _ -> null));
        }
        pool.refusal = new IllegalStateException("refused");
        target.complete(first);

        assertThat(futures.stream().map(each -> each.exceptionNow().getMessage()).distinct())
                .containsExactly("refused");
        assertEmpty(lanes);
    }

    @Test
    void call_timeIsOver_leavesTheLaneFromTheMiddle() {
        Lanes lanes = lanes(10, Duration.ofMillis(1));
        ProxyTarget target = keyed(lanes, "a");
        Object first = target.borrow("first");

        CompletableFuture<?> second = target.async("second", _ -> null);
        assertThatThrownBy(() -> onAnotherThread(() -> target.borrow("third")))
                .hasMessage("timed out third");
        assertThatThrownBy(() -> second.get(WAIT, TimeUnit.SECONDS))
                .rootCause()
                .hasMessage("timed out second");
        assertThat(lanes.waiting()).isZero();
        target.complete(first);

        assertEmpty(lanes);
    }

    @Test
    void borrow_interruptedWhileItWaits_leavesTheLaneWithItsFlagSet() throws Exception {
        Lanes lanes = lanes(10, Duration.ZERO);
        ProxyTarget target = keyed(lanes, "a");
        Object first = target.borrow("first");
        CompletableFuture<String> outcome = new CompletableFuture<>();
        Thread waiting =
                Thread.startVirtualThread(() -> {
                    try {
                        target.borrow("second");
                    } catch (IllegalStateException e) {
                        outcome.complete(e.getMessage() + Thread.currentThread().isInterrupted());
                    }
                });
        while (lanes.waiting() == 0) {
            Thread.onSpinWait();
        }
        waiting.interrupt();

        assertThat(outcome.get(WAIT, TimeUnit.SECONDS)).isEqualTo("interrupted secondtrue");
        target.complete(first);
        assertEmpty(lanes);
    }

    @Test
    void async_cancelledWhileItRuns_theNextWaitsForItsEnd() throws Exception {
        Lanes lanes = lanes(10, Duration.ZERO);
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        CompletableFuture<?> first =
                keyed(lanes, "a")
                        .async(
                                "first",
                                _ -> {
                                    begun.countDown();
                                    end.await();
                                    return null;
                                });
        CompletableFuture<?> second = keyed(lanes, "a").async("second", _ -> null);
        CompletableFuture<?> third = keyed(lanes, "a").async("third", _ -> null);
        assertThat(begun.await(WAIT, TimeUnit.SECONDS)).isTrue();

        first.cancel(true);
        third.cancel(true);

        assertThat(lanes.waiting()).as("the third has left, the second waits").isOne();
        assertThat(second).isNotDone();
        end.countDown();
        second.get(WAIT, TimeUnit.SECONDS);
        awaitEmpty(lanes);
    }

    @Test
    void calls_ofEveryKindAtRandom_neverOverlapAndLeaveNothing() throws Exception {
        long seed = Long.getLong("penstock.seed", new Random().nextLong());
        int keys = 5;
        Lanes lanes = lanes(50, Duration.ofMillis(5));
        List<AtomicInteger> running = new ArrayList<>();
        for (int i = 0; i < keys; i++) {
            running.add(new AtomicInteger());
        }
        AtomicInteger overlaps = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int thread = 0; thread < 32; thread++) {
            Random random = new Random(seed + thread);
            threads.add(
                    Thread.startVirtualThread(() -> {
                        for (int i = 0; i < 500; i++) {
                            int key = random.nextInt(keys);
                            step(keyed(lanes, key), running.get(key), overlaps, random);
                        }
                    }));
        }
        for (int i = 0; i < 200; i++) {
            threads.get(i % threads.size()).interrupt();
        }
        for (Thread each : threads) {
            assertThat(each.join(Duration.ofSeconds(WAIT))).as("-Dpenstock.seed=" + seed).isTrue();
        }
        awaitEmpty(lanes);
        assertThat(overlaps).as("-Dpenstock.seed=" + seed).hasValue(0);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT);
        while (pool.underWay.get() > 0 && System.nanoTime() < end) {
            LockSupport.parkNanos(1_000);
        }
        assertThat(pool.underWay).hasValue(0);
        assertThat(pool.borrowed).as("-Dpenstock.seed=" + seed).hasValue(0);
    }

    private static void step(
            ProxyTarget target, AtomicInteger running, AtomicInteger overlaps, Random random) {
        Runnable work =
                () -> {
                    if (running.incrementAndGet() != 1) {
                        overlaps.incrementAndGet();
                    }
                    LockSupport.parkNanos(1_000);
                    running.decrementAndGet();
                };
        try {
            if (random.nextBoolean()) {
                Object lease = target.borrow("m");
                work.run();
                if (random.nextBoolean()) {
                    target.complete(lease);
                } else {
                    target.fail(lease, new Exception("x"));
                }
            } else {
                CompletableFuture<?> future =
                        target.async(
                                "m",
                                _ -> {
                                    work.run();
                                    return null;
                                });
                if (random.nextInt(3) == 0) {
                    future.cancel(true);
                }
            }
        } catch (IllegalStateException _) {
            // Refused, timed out or interrupted.
            Thread.interrupted();
        }
    }

    private ProxyTarget keyed(Lanes lanes, Object key) {
        return new KeyedTarget(lanes, key, pool);
    }

    private static Lanes lanes(int most, Duration timeout) {
        return new Lanes(new Limits(most, timeout.toNanos()));
    }

    private static CompletableFuture<?> all(List<CompletableFuture<?>> futures) {
        return CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new));
    }

    private static void onAnotherThread(Runnable action) {
        CompletableFuture<?> future =
                CompletableFuture.runAsync(action, Thread::startVirtualThread);
        try {
            future.get(WAIT, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw (RuntimeException) e.getCause();
        }
    }

    private static void assertEmpty(Lanes lanes) {
        assertThat(lanes.size()).isZero();
        assertThat(lanes.waiting()).isZero();
    }

    /** Waits for calls that nobody has a future of. */
    private static void awaitEmpty(Lanes lanes) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT);
        while (lanes.size() > 0 && System.nanoTime() < end) {
            LockSupport.parkNanos(1_000);
        }
        assertEmpty(lanes);
    }
}
