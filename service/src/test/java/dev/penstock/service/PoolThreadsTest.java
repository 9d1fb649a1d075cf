package dev.penstock.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pools whose instances, or asynchronous calls, have platform threads. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class PoolThreadsTest {
    private static final long WAIT = 60;

    /** A service that belongs to a thread. */
    public interface Bound {
        Thread thread();

        long square(long number) throws IOException;

        CompletableFuture<Thread> later();

        int nested();

        boolean stuck(CountDownLatch end);
    }

    private static final class ThreadBound implements Bound {
        private final Thread home = Thread.currentThread();
        private final AtomicBoolean abroad;
        private Bound self = this;

        ThreadBound(AtomicBoolean abroad) {
            this.abroad = abroad;
        }

        @Override
        public Thread thread() {
            check();
            return Thread.currentThread();
        }

        @Override
        public long square(long number) throws IOException {
            check();
            if (number < 0) {
                throw new IOException("negative");
            }
            return number * number;
        }

        @Override
        public CompletableFuture<Thread> later() {
            check();
            return CompletableFuture.completedFuture(Thread.currentThread());
        }

        @Override
        public int nested() {
            check();
            return self == this ? 1 : self.thread().equals(Thread.currentThread()) ? 2 : 3;
        }

        @Override
        public boolean stuck(CountDownLatch end) {
            check();
            while (end.getCount() > 0) {
                try {
                    end.await();
                } catch (InterruptedException _) {
                    // Stays, as a library may that knows no interrupts.
                }
            }
            return true;
        }

        void check() {
            if (!Thread.currentThread().equals(home)) {
                abroad.set(true);
            }
        }
    }

    private final AtomicBoolean abroad = new AtomicBoolean();

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void dedicated_lifeAndCallsOfAnInstance_areOnItsThread(int threads) throws Exception {
        Set<Thread> used = ConcurrentHashMap.newKeySet();
        ServicePoolBuilder<Bound> builder = builder().size(5);
        if (threads > 0) {
            builder.threads(threads);
        }
        try (ServicePool<Bound> pool = builder.start()) {
            List<CompletableFuture<Thread>> futures = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                used.add(pool.proxy().thread());
                assertThat(pool.proxy().square(i)).isEqualTo((long) i * i);
                futures.add(pool.proxy().later());
                Thread called = pool.call(Bound::thread);
                used.add(called);
            }
            for (CompletableFuture<Thread> each : futures) {
                used.add(each.get(WAIT, TimeUnit.SECONDS));
            }
            assertThat(used).doesNotContain(Thread.currentThread());
            assertThat(used).noneMatch(Thread::isVirtual).allMatch(Thread::isDaemon);
            assertThat(used).hasSizeLessThanOrEqualTo(threads == 0 ? 5 : threads);
            assertThatThrownBy(() -> pool.proxy().square(-1))
                    .isInstanceOf(IOException.class)
                    .hasMessage("negative");
            assertThatThrownBy(() -> pool.run(bound -> bound.square(-1))).hasMessage("negative");
        }
        assertThat(abroad).isFalse();
        for (Thread each : used) {
            assertThat(each.join(Duration.ofSeconds(WAIT))).as(each + " has ended").isTrue();
        }
    }

    @Test
    void dedicated_callOfTheOwnPool_runsOnTheSameInstance() {
        ThreadBound[] made = new ThreadBound[1];
        try (ServicePool<Bound> pool =
                ServicePool.<Bound>of(Bound.class, () -> made[0] = new ThreadBound(abroad))
                        .size(1)
                        .dedicated()
                        .start()) {
            pool.run(_ -> made[0].self = pool.proxy());

            assertThat(pool.proxy().nested()).isEqualTo(2);
        }
        assertThat(abroad).isFalse();
    }

    @Test
    void dedicated_callThatNoInterruptEnds_callerGetsAwayAtItsDeadline() {
        CountDownLatch end = new CountDownLatch(1);
        try (ServicePool<Bound> pool =
                builder().size(1).callTimeout(Duration.ofMillis(50)).start()) {
            AtomicBoolean runs = new AtomicBoolean();
            while (!runs.get()) {
                // One whose thread begins too late is refused.
                assertThatThrownBy(() ->
                                pool.run(bound -> {
                                    runs.set(true);
                                    bound.stuck(end);
                                }))
                        .isInstanceOf(CallTimeoutException.class);
            }

            assertThat(end.getCount()).as("the call still runs").isOne();
            end.countDown();
        }
    }

    @Test
    void dedicated_callBehindAHungOneOfTheSharedThread_callerGetsAwayAtItsDeadline() {
        CountDownLatch end = new CountDownLatch(1);
        try (ServicePool<Bound> pool =
                builder().size(2).threads(1).callTimeout(Duration.ofMillis(50)).start()) {
            AtomicBoolean runs = new AtomicBoolean();
            CompletableFuture<Boolean> hung;
            int calls = 0;
            do {
                calls++; // one whose thread begins too late is refused
                hung =
                        pool.async(bound -> {
                            runs.set(true);
                            return bound.stuck(end);
                        });
                CompletableFuture<Boolean> call = hung;
                ServicePoolTest.until(() -> runs.get() || call.isDone());
            } while (!runs.get());

            assertThatThrownBy(() -> pool.proxy().thread())
                    .isInstanceOf(CallTimeoutException.class);
            assertThat(hung)
                    .failsWithin(Duration.ofSeconds(WAIT))
                    .withThrowableThat()
                    .withCauseInstanceOf(CallTimeoutException.class);

            assertThat(end.getCount()).as("the first call still runs").isOne();
            end.countDown();
            ServicePoolTest.until(
                    () -> pool.figures().idle() == 2 && pool.figures().quarantined() == 0);
            assertThat(pool.figures().timeouts()).isEqualTo(calls + 1);
            assertThat(answered(pool).isInterrupted()).isFalse();
        }
        assertThat(abroad).isFalse();
    }

    /** Asks until it is answered: a thread that begins too late refuses a call. */
    private static Thread answered(ServicePool<Bound> pool) {
        while (true) {
            try {
                return pool.proxy().thread();
            } catch (CallTimeoutException e) {
                // The machine is busy.
            }
        }
    }

    @Test
    void threads_fewerThanInstances_batchesHaveOneCallInTheQueueAtMost() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        try (ServicePool<Runnable> pool =
                ServicePool.<Runnable>of(Runnable.class, () -> () -> {})
                        .size(4)
                        .threads(1)
                        .callTimeout(Duration.ZERO)
                        .start()) {
            FutureTask<List<Boolean>> batch =
                    new FutureTask<>(() ->
                            pool.forEach(
                                    Collections.nCopies(100, 1),
                                    (_, _) -> end.await(WAIT, TimeUnit.SECONDS)));
            Thread.startVirtualThread(batch);
            ServicePoolTest.until(() -> pool.figures().busy() == 4);

            assertThat(pool.figures().waiting()).isZero();
            end.countDown();
            assertThat(batch.get(WAIT, TimeUnit.SECONDS)).hasSize(100);
            assertThat(pool.figures().calls()).isEqualTo(100);
        }
    }

    @Test
    void close_callsThatHaveAnInstanceAndNoThreadYet_areRefused() {
        CountDownLatch end = new CountDownLatch(1);
        CountDownLatch runs = new CountDownLatch(1);
        ServicePool<Runnable> pool =
                ServicePool.<Runnable>of(Runnable.class, () -> () -> {})
                        .size(2)
                        .threads(1)
                        .callTimeout(Duration.ZERO)
                        .closeTimeout(Duration.ZERO)
                        .start();
        CompletableFuture<Boolean> first =
                pool.async(_ -> {
                    runs.countDown();
                    return end.await(WAIT, TimeUnit.SECONDS);
                });
        CompletableFuture<Integer> second = pool.async(_ -> 2);
        ServicePoolTest.until(() -> runs.getCount() == 0 && pool.figures().busy() == 2);

        pool.close();

        assertThat(first)
                .failsWithin(Duration.ofSeconds(WAIT))
                .withThrowableThat()
                .withCauseInstanceOf(InterruptedException.class);
        assertThat(second)
                .failsWithin(Duration.ofSeconds(WAIT))
                .withThrowableThat()
                .withMessageContaining("it is closed and takes no calls");
    }

    @Test
    void threads_ofAPoolThatIsNotDedicated_runItsAsynchronousCalls() throws Exception {
        Set<Thread> used = ConcurrentHashMap.newKeySet();
        try (ServicePool<Runnable> pool =
                ServicePool.<Runnable>of(Runnable.class, () -> () -> {})
                        .size(8)
                        .threads(2)
                        .callTimeout(Duration.ZERO)
                        .start()) {
            List<CompletableFuture<Boolean>> futures = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                futures.add(pool.async(_ -> used.add(Thread.currentThread())));
            }
            for (CompletableFuture<?> each : futures) {
                each.get(WAIT, TimeUnit.SECONDS);
            }
            Thread blocking = pool.call(_ -> Thread.currentThread());
            assertThat(blocking).isSameAs(Thread.currentThread());
        }
        assertThat(used).hasSizeBetween(1, 2).noneMatch(Thread::isVirtual);
        for (Thread each : used) {
            assertThat(each.join(Duration.ofSeconds(WAIT))).isTrue();
        }
    }

    @Test
    void threads_none_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder().threads(0))
                .withMessage("Pool Bound: 0 threads; it must be 1 to 65536.");
    }

    private ServicePoolBuilder<Bound> builder() {
        return ServicePool.<Bound>of(Bound.class, () -> new ThreadBound(abroad))
                .dedicated()
                .onStart((bound, _) -> ((ThreadBound) bound).check())
                .onStop((bound, _) -> ((ThreadBound) bound).check())
                .callTimeout(Duration.ofSeconds(WAIT));
    }
}
