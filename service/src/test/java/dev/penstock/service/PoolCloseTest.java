package dev.penstock.service;

import static dev.penstock.service.ServicePoolTest.pool;
import static dev.penstock.service.ServicePoolTest.until;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.service.ServicePoolTest.Held;
import dev.penstock.service.ServicePoolTest.Probe;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The end of pools: what becomes of calls that run, wait or come, and of instances that fail or start meanwhile. */
@Timeout(120)
class PoolCloseTest {
    @Test
    void close_twice_servesThoseThatWaitAndRefusesNewOnes() throws Exception {
        ServicePool<Probe> pool = pool(1).start();
        Held held = new Held(pool);
        CompletableFuture<Integer> waiting = pool.async(Probe::number);
        Thread closing = Thread.ofVirtual().start(pool::close);
        until(() -> !pool.isReady());

        assertThatThrownBy(() -> pool.call(Probe::number))
                .hasMessage("Pool probes: it is closed and takes no calls.");
        held.go.countDown();
        assertThat(waiting.get(90, SECONDS)).isNotNegative();
        closing.join();
        pool.close();

        assertThat(pool.figures().size()).isZero();
    }

    @Test
    void close_onlyInstanceIsPoisonedMeanwhile_thoseThatWaitAreServedByItsReplacement()
            throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        CountDownLatch runs = new CountDownLatch(1);
        ServicePool<Probe> pool = pool(1).callTimeout(Duration.ZERO).start();
        CompletableFuture<Integer> poisoned =
                pool.async(probe -> {
                    runs.countDown();
                    go.await();
                    throw new IllegalStateException("poisoned");
                });
        assertThat(runs.await(90, SECONDS)).isTrue();
        List<CompletableFuture<Integer>> waiting = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            waiting.add(pool.async(Probe::number));
        }
        Thread closing = Thread.startVirtualThread(pool::close);
        until(() -> !pool.isReady());

        go.countDown();

        for (CompletableFuture<Integer> each : waiting) {
            assertThat(each.get(90, SECONDS)).isNotNegative();
        }
        assertThat(poisoned).failsWithin(Duration.ofSeconds(90));
        assertThat(closing.join(Duration.ofSeconds(90))).isTrue();
    }

    @Test
    void close_firstInstanceIsStillStarting_callThatWaitsForItIsServed() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        AtomicInteger attempts = new AtomicInteger();
        ServicePool<Probe> pool =
                ServicePool.of(
                                Probe.class,
                                () -> {
                                    go.await();
                                    if (attempts.incrementAndGet() < 3) {
                                        throw new IllegalStateException("not yet");
                                    }
                                    return new Probe();
                                })
                        .size(0, 1)
                        .callTimeout(Duration.ZERO)
                        .supervise(Supervision.standard().backoff(BackoffTest.SHORT))
                        .start();
        CompletableFuture<Integer> call = pool.async(Probe::number);
        until(() -> pool.figures().starting() == 1);
        Thread closing = Thread.startVirtualThread(pool::close);
        // It ends when the pool is closed: there is no instance yet.
        assertThat(pool.awaitReady(Duration.ofSeconds(90))).isFalse();

        go.countDown();

        assertThat(call.get(90, SECONDS)).isNotNegative();
        assertThat(closing.join(Duration.ofSeconds(90))).isTrue();
        assertThat(pool.figures().size()).isZero();
    }

    @Test
    void close_callIsLeftBehind_itsFutureFailsAtItsDeadlineAllTheSame() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        CountDownLatch runs = new CountDownLatch(1);
        ServicePool<Probe> pool =
                pool(1).callTimeout(Duration.ofMillis(1_500)).closeTimeout(Duration.ZERO).start();
        CompletableFuture<Integer> hung;
        do {
            // One whose thread begins too late is refused.
            CompletableFuture<Integer> call =
                    pool.async(probe -> {
                        runs.countDown();
                        while (end.getCount() > 0) {
                            LockSupport.parkNanos(1_000_000);
                            Thread.interrupted();
                        }
                        return probe.number();
                    });
            until(() -> runs.getCount() == 0 || call.isDone());
            hung = call;
        } while (runs.getCount() > 0);

        pool.close(); // takes a second

        assertThat(hung)
                .failsWithin(Duration.ofSeconds(90))
                .withThrowableThat()
                .withCauseInstanceOf(CallTimeoutException.class);
        end.countDown();
        until(() -> pool.figures().quarantined() == 0);
    }

    @Test
    void close_withoutDraining_refusesThoseThatWait() throws Exception {
        ServicePool<Probe> pool = pool(1).drainQueue(false).start();
        Held held = new Held(pool);
        CompletableFuture<Integer> waiting = pool.async(Probe::number);
        Thread closing = Thread.ofVirtual().start(pool::close);

        assertThatThrownBy(() -> waiting.get(90, SECONDS))
                .hasCauseInstanceOf(ServiceException.class);
        held.go.countDown();
        closing.join();
        assertThat(held.done.get(90, SECONDS)).isNotNegative();
    }

    @Test
    void close_afterItsTimeout_interruptsCalls() throws Exception {
        ServicePool<Probe> pool =
                pool(1).callTimeout(Duration.ZERO).closeTimeout(Duration.ofMillis(20)).start();
        Held held = new Held(pool);

        pool.close();

        assertThatThrownBy(() -> held.done.get(90, SECONDS))
                .hasCauseInstanceOf(InterruptedException.class);
    }

    @Test
    void close_withinACall_doesNotWaitForItself() {
        ServicePool<Probe> pool = pool(1).start();
        int number =
                pool.call(probe -> {
                    pool.close();
                    return pool.call(Probe::number);
                });
        assertThat(number).isNotNegative();
        until(() -> pool.figures().size() == 0);
    }
}
