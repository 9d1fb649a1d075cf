package dev.penstock.service;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The contract of pools, one sentence of their Javadoc a test. */
@Timeout(120)
class ServicePoolTest {
    /** A service that notices two calls at once. */
    static class Probe implements AutoCloseable {
        static final AtomicInteger MADE = new AtomicInteger();
        final int number = MADE.getAndIncrement();
        final AtomicBoolean used = new AtomicBoolean();
        volatile boolean closed;

        <T> T use(Callable<T> work) throws Exception {
            if (!used.compareAndSet(false, true)) {
                throw new AssertionError("used by two calls");
            }
            try {
                return work.call();
            } finally {
                used.set(false);
            }
        }

        int number() {
            return number;
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    interface Callable<T> {
        T call() throws Exception;
    }

    /** A pool whose calls have no deadline, unless the test sets one. */
    static ServicePoolBuilder<Probe> pool(int size) {
        return ServicePool.of(Probe.class, Probe::new)
                .size(size)
                .name("probes")
                .callTimeout(Duration.ZERO);
    }

    static void until(BooleanSupplier condition) {
        long end = System.nanoTime() + SECONDS.toNanos(90);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("time until the condition holds").isLessThan(end);
            LockSupport.parkNanos(200_000);
        }
    }

    /**
     * Makes a call that no interrupt ends, until it is let go, and returns when its deadline is over. One whose thread
     * begins too late is refused, and made again.
     */
    static CompletableFuture<Integer> hung(ServicePool<?> pool, AtomicBoolean over) {
        AtomicBoolean runs = new AtomicBoolean();
        int before = pool.figures().quarantined();
        while (true) {
            CompletableFuture<Integer> call =
                    pool.async(service -> {
                        runs.set(true);
                        while (!over.get()) {
                            LockSupport.parkNanos(1_000_000); // spinning would keep its carrier
                            Thread.interrupted();
                        }
                        return 1;
                    });
            assertThatThrownBy(() -> call.get(90, SECONDS))
                    .hasCauseInstanceOf(CallTimeoutException.class);
            until(() -> runs.get() || pool.figures().quarantined() == before);
            if (runs.get()) {
                return call;
            }
        }
    }

    /** A call that holds its instance until it is let go. */
    static final class Held {
        final CountDownLatch go = new CountDownLatch(1);
        final CountDownLatch runs = new CountDownLatch(1);
        final CompletableFuture<Integer> done;

        Held(ServicePool<Probe> pool) throws InterruptedException {
            done =
                    pool.async(probe -> {
                        runs.countDown();
                        go.await();
                        return probe.number();
                    });
            assertThat(runs.await(90, SECONDS)).isTrue();
        }
    }

    @Test
    void call_idleInstance_runsOnTheCallersThread() {
        try (ServicePool<Probe> pool = pool(2).start()) {
            until(() -> pool.figures().idle() == 2);
            Thread ran = pool.call(probe -> Thread.currentThread());

            assertThat(ran).isSameAs(Thread.currentThread());
            assertThat(pool.isReady()).isTrue();
            assertThat(pool.figures().calls()).isEqualTo(1);
            assertThat(pool.figures().idle()).isEqualTo(2);
        }
    }

    @Test
    void call_checkedException_reachesTheCallerAndKeepsTheInstance() {
        try (ServicePool<Probe> pool = pool(1).start()) {
            int before = pool.call(Probe::number);
            IOException failure = new IOException("broken");

            assertThatThrownBy(() ->
                            pool.run(probe -> {
                                throw failure;
                            }))
                    .isSameAs(failure);

            assertThat(pool.<Integer, RuntimeException>call(Probe::number)).isEqualTo(before);
            assertThat(pool.figures().failures()).isEqualTo(1);
            assertThat(pool.figures().restarts()).isZero();
        }
    }

    @Test
    void call_runtimeException_restartsTheInstance() {
        try (ServicePool<Probe> pool = pool(1).start()) {
            Probe[] before = new Probe[1];

            assertThatThrownBy(() ->
                            pool.run(probe -> {
                                before[0] = probe;
                                throw new IllegalStateException("poisoned");
                            }))
                    .isInstanceOf(IllegalStateException.class);

            assertThat(pool.<Integer, RuntimeException>call(Probe::number))
                    .isNotEqualTo(before[0].number);
            assertThat(before[0].closed).isTrue();
            assertThat(pool.figures().restarts()).isEqualTo(1);
        }
    }

    @Test
    void call_stopDirective_refusesUntilResized() {
        Supervision stops = Supervision.standard().stop(IllegalStateException.class);
        try (ServicePool<Probe> pool = pool(1).supervise(stops).start()) {
            assertThatThrownBy(() ->
                            pool.run(probe -> {
                                throw new IllegalStateException("over");
                            }))
                    .hasMessage("over");

            assertThat(pool.isReady()).isFalse();
            assertThatThrownBy(() -> pool.call(Probe::number))
                    .isInstanceOf(ServiceException.class)
                    .hasMessage(
                            "Pool probes: its supervision has stopped all instances; resize the pool to start new ones.");

            pool.resize(1, 1);
            assertThat(pool.<Integer, RuntimeException>call(Probe::number)).isNotNegative();
        }
    }

    @Test
    void call_withinACall_runsOnTheSameInstance() {
        try (ServicePool<Probe> pool = pool(1).queue(0).start()) {
            List<Integer> numbers =
                    pool.call(outer -> List.of(outer.number(), pool.call(Probe::number)));

            assertThat(numbers.get(0)).isEqualTo(numbers.get(1));
            assertThat(pool.figures().calls()).isEqualTo(1);
            assertThat(pool.figures().idle()).isEqualTo(1);
        }
    }

    @Test
    void call_fullQueue_isRejected() throws Exception {
        try (ServicePool<Probe> pool = pool(1).queue(0).start()) {
            Held held = new Held(pool);

            Throwable rejection = catchThrowable(() -> pool.call(Probe::number));

            assertThat(rejection)
                    .isInstanceOfSatisfying(
                            CallRejectedException.class,
                            e -> assertThat(e.retryAfter()).isEqualTo(Duration.ofSeconds(1)))
                    .hasMessage(
                            "Pool probes: all instances are busy and 0 calls wait, the most that the queue takes; try again in 1 s, or enlarge the pool.");
            assertThat(pool.async(Probe::number)).isCompletedExceptionally();
            assertThat(pool.figures().rejections()).isEqualTo(2);
            held.go.countDown();
            assertThat(held.done.get(90, SECONDS)).isNotNegative();
        }
    }

    @Test
    void calls_thatWait_areServedInTheOrderOfTheirArrival() throws Exception {
        try (ServicePool<Probe> pool = pool(1).callTimeout(Duration.ZERO).start()) {
            Held held = new Held(pool);
            List<Integer> order = Collections.synchronizedList(new ArrayList<>());
            for (int i = 0; i < 50; i++) {
                int number = i;
                if (i % 3 == 0) {
                    pool.async(probe -> order.add(number));
                } else {
                    Thread.startVirtualThread(() -> pool.call(probe -> order.add(number)));
                }
                until(() -> pool.figures().waiting() == number + 1);
            }

            held.go.countDown();
            until(() -> order.size() == 50);

            assertThat(order).isSorted();
        }
    }

    @Test
    void call_thatWaitsTooLong_timesOutWithoutRunning() throws Exception {
        try (ServicePool<Probe> pool =
                pool(1).callTimeout(Duration.ZERO).queueTimeout(Duration.ofMillis(30)).start()) {
            CountDownLatch go = new CountDownLatch(1);
            CountDownLatch runs = new CountDownLatch(1);
            // No asynchronous call: that would be refused itself where its thread begins after 30
            // ms.
            FutureTask<Integer> held =
                    new FutureTask<>(() ->
                            pool.call(probe -> {
                                runs.countDown();
                                go.await();
                                return probe.number();
                            }));
            Thread.startVirtualThread(held);
            assertThat(runs.await(90, SECONDS)).isTrue();

            Throwable timeout = catchThrowable(() -> pool.call(Probe::number));
            CompletableFuture<Integer> later = pool.async(Probe::number);

            assertThat(timeout)
                    .isInstanceOfSatisfying(
                            CallTimeoutException.class,
                            e -> {
                                assertThat(e.queued())
                                        .isGreaterThanOrEqualTo(Duration.ofMillis(30));
                                assertThat(e.ran()).isZero();
                            });
            assertThatThrownBy(() -> later.get(90, SECONDS))
                    .hasCauseInstanceOf(CallTimeoutException.class);
            assertThat(pool.figures().timeouts()).isEqualTo(2);
            assertThat(pool.figures().waiting()).isZero();
            go.countDown();
            assertThat(held.get(90, SECONDS)).isNotNegative();
        }
    }

    @Test
    void call_thatRunsTooLong_isInterruptedAndItsInstanceReplaced() {
        try (ServicePool<Probe> pool = pool(1).callTimeout(Duration.ofMillis(50)).start()) {
            AtomicReference<Probe> first = new AtomicReference<>();

            Throwable timeout =
                    catchThrowable(() ->
                            pool.run(probe -> {
                                first.set(probe);
                                new CountDownLatch(1).await();
                            }));

            assertThat(timeout)
                    .isInstanceOfSatisfying(
                            CallTimeoutException.class, e -> assertThat(e.ran()).isPositive())
                    .hasCauseInstanceOf(InterruptedException.class);
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
            until(() -> first.get().closed);
            until(pool::isReady);
            until(() -> pool.figures().quarantined() == 0 && pool.figures().idle() == 1);
            assertThat(pool.figures().timeouts()).isEqualTo(1);
        }
    }

    @Test
    void call_thatDoesNotHeedItsDeadline_leavesOthersItsReplacement() {
        AtomicBoolean over = new AtomicBoolean();
        try (ServicePool<Probe> pool = pool(1).callTimeout(Duration.ofMillis(100)).start()) {
            assertThat(hung(pool, over)).isCompletedExceptionally();

            until(() -> pool.figures().quarantined() == 1 && pool.figures().idle() == 1);
            over.set(true);
            until(() -> pool.figures().quarantined() == 0);
            assertThat(pool.figures().size()).isEqualTo(1);
        } finally {
            over.set(true);
        }
    }

    @Test
    void call_interruptedWhileWaiting_leavesTheQueueWithTheFlagSet() throws Exception {
        try (ServicePool<Probe> pool = pool(1).start()) {
            Held held = new Held(pool);
            AtomicReference<Throwable> failure = new AtomicReference<>();
            AtomicBoolean flag = new AtomicBoolean();
            Thread caller =
                    Thread.startVirtualThread(() -> {
                        failure.set(catchThrowable(() -> pool.call(Probe::number)));
                        flag.set(Thread.currentThread().isInterrupted());
                    });
            until(() -> pool.figures().waiting() == 1);

            caller.interrupt();
            caller.join();

            assertThat(failure.get())
                    .isInstanceOfSatisfying(
                            ServiceException.class,
                            e -> assertThat(e.kind()).isEqualTo(ServiceException.Kind.INTERRUPTED));
            assertThat(flag).isTrue();
            assertThat(pool.figures().waiting()).isZero();
            held.go.countDown();
        }
    }

    @Test
    void call_timedOutWithTheFlagSetBefore_keepsIt() {
        try (ServicePool<Probe> pool = pool(1).callTimeout(Duration.ofMillis(30)).start()) {
            AtomicBoolean over = new AtomicBoolean();
            Thread.startVirtualThread(() -> {
                until(() -> pool.figures().timeouts() == 1);
                over.set(true);
            });
            Thread.currentThread().interrupt();

            // Without a lock, whose waiting would hide the flag.
            Throwable timeout =
                    catchThrowable(() ->
                            pool.run(probe -> {
                                until(over::get);
                            }));

            assertThat(Thread.interrupted()).isTrue();
            assertThat(timeout).isInstanceOf(CallTimeoutException.class);
        }
    }

    @Test
    void calls_ofTwoPoolsOneWithinTheOther_bothTimedOut_leaveNoInterrupt() {
        try (ServicePool<Probe> outer = pool(1).callTimeout(Duration.ofMillis(60)).start();
                ServicePool<Probe> inner = pool(1).callTimeout(Duration.ofMillis(30)).start()) {
            Throwable timeout =
                    catchThrowable(() ->
                            outer.run(probe ->
                                    inner.run(other -> {
                                        until(() ->
                                                outer.figures().timeouts() == 1
                                                        && inner.figures().timeouts() == 1);
                                    })));

            assertThat(timeout)
                    .isInstanceOf(CallTimeoutException.class)
                    .hasCauseInstanceOf(CallTimeoutException.class);
            assertThat(Thread.interrupted()).isFalse();
        }
    }

    @Test
    void async_cancelledInTheQueue_leavesIt() throws Exception {
        try (ServicePool<Probe> pool = pool(1).start()) {
            Held held = new Held(pool);
            AtomicBoolean ran = new AtomicBoolean();
            CompletableFuture<Boolean> future = pool.async(probe -> ran.getAndSet(true));

            assertThat(future.cancel(true)).isTrue();

            assertThat(pool.figures().waiting()).isZero();
            held.go.countDown();
            assertThat(pool.<Integer, RuntimeException>call(Probe::number)).isNotNegative();
            assertThat(ran).isFalse();
            assertThatThrownBy(future::get).isInstanceOf(CancellationException.class);
        }
    }

    @Test
    void async_cancelledWhileItRuns_isInterruptedAndFreesTheInstance() throws Exception {
        try (ServicePool<Probe> pool = pool(1).start()) {
            Held held = new Held(pool);

            held.done.cancel(true);

            until(() -> pool.figures().idle() == 1);
            assertThat(pool.figures().restarts()).isZero();
        }
    }

    @Test
    void async_failure_completesTheFutureWithIt() {
        try (ServicePool<Probe> pool = pool(1).start()) {
            IOException failure = new IOException("broken");
            CompletableFuture<Integer> future =
                    pool.async(probe -> {
                        throw failure;
                    });

            assertThatThrownBy(() -> future.get(90, SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .cause()
                    .isSameAs(failure);
        }
    }

    @Test
    void start_thatFailsTwice_isRepeatedAndCallsWait() {
        AtomicInteger attempts = new AtomicInteger();
        try (ServicePool<Probe> pool =
                ServicePool.of(
                                Probe.class,
                                () -> {
                                    if (attempts.incrementAndGet() < 3) {
                                        throw new IOException("not yet");
                                    }
                                    return new Probe();
                                })
                        .size(1)
                        .callTimeout(Duration.ofMinutes(1))
                        .supervise(
                                Supervision.standard()
                                        .backoff(
                                                new Backoff(
                                                        Duration.ofMillis(5),
                                                        Duration.ofMillis(10),
                                                        2,
                                                        0)))
                        .start()) {
            assertThat(pool.<Integer, RuntimeException>call(Probe::number)).isNotNegative();
            assertThat(attempts).hasValue(3);
        }
    }

    @Test
    void start_beyondTheLimit_stopsTheInstance() {
        ServicePool<Probe> pool =
                ServicePool.of(
                                Probe.class,
                                (java.util.concurrent.Callable<Probe>)
                                        () -> {
                                            throw new IOException("never");
                                        })
                        .size(1)
                        .callTimeout(Duration.ZERO)
                        .supervise(
                                Supervision.standard()
                                        .limit(2, Duration.ofMinutes(5))
                                        .backoff(
                                                new Backoff(
                                                        Duration.ofMillis(1),
                                                        Duration.ofMillis(1),
                                                        1,
                                                        0)))
                        .start();
        try (pool) {
            assertThatThrownBy(() -> pool.call(Probe::number))
                    .isInstanceOfSatisfying(
                            ServiceException.class,
                            e -> assertThat(e.kind()).isEqualTo(ServiceException.Kind.STOPPED));
        }
    }

    @Test
    void hooks_startAndStop_runOnceForEachServiceObject() {
        AtomicInteger started = new AtomicInteger();
        AtomicInteger stopped = new AtomicInteger();
        try (ServicePool<Probe> pool =
                pool(3).onStart((probe, context) -> started.incrementAndGet())
                        .onStop((probe, context) -> stopped.incrementAndGet())
                        .start()) {
            until(() -> pool.figures().idle() == 3);
        }
        assertThat(started).hasValue(3);
        assertThat(stopped).hasValue(3);
    }

    @Test
    void resize_growsAndShrinks_busyInstancesWhenTheirCallsEnd() throws Exception {
        try (ServicePool<Probe> pool = pool(1).start()) {
            pool.resize(4, 4);
            until(() -> pool.figures().idle() == 4);
            List<Held> held = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                held.add(new Held(pool));
            }

            pool.resize(1, 2);

            assertThat(pool.figures().busy()).isEqualTo(4);
            held.get(0).go.countDown();
            held.get(1).go.countDown();
            until(() -> pool.figures().size() == 2);
            held.get(2).go.countDown();
            held.get(3).go.countDown();
            until(() -> pool.figures().idle() == 2);
        }
    }

    @Test
    void size_growsWhenCallsWaitAndShrinksWhenNotNeeded() throws Exception {
        try (ServicePool<Probe> pool =
                pool(1).size(1, 3).shrinkAfter(Duration.ofMillis(50)).start()) {
            List<Held> held = List.of(new Held(pool), new Held(pool), new Held(pool));
            assertThat(pool.figures().size()).isEqualTo(3);

            held.forEach(each -> each.go.countDown());

            until(() -> pool.figures().size() == 1);
        }
    }

    @Test
    void autoscale_queueTimeAboveTheTarget_grows() throws Exception {
        try (ServicePool<Probe> pool =
                pool(1).size(1, 2).autoscale(Duration.ofMillis(20)).start()) {
            Held held = new Held(pool);

            Held second = new Held(pool); // runs on an instance of its own, or never

            assertThat(pool.figures().size()).isEqualTo(2);
            held.go.countDown();
            second.go.countDown();
        }
    }

    @Test
    void listener_thatThrows_harmsNoCall() {
        PoolListener broken =
                new PoolListener() {
                    @Override
                    public Object beginCall(String method) {
                        throw new IllegalStateException("listener");
                    }

                    @Override
                    public void called(
                            String method, long queued, long ran, @Nullable Throwable failure) {
                        throw new IllegalStateException("listener");
                    }
                };
        try (ServicePool<Probe> pool = pool(1).listener(broken).start()) {
            assertThat(pool.<Integer, RuntimeException>call(Probe::number)).isNotNegative();
        }
    }
}
