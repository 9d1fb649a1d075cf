package dev.penstock.service;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Many calls at random: blocking and asynchronous ones, cancelled, interrupted, failing and hanging ones, while the
 * pool is resized. No instance is used by two calls, and none is lost. The property {@code penstock.soak} makes it 100
 * million.
 */
@Timeout(3_600)
class PoolSoakTest {
    private static final boolean LONG = Boolean.getBoolean("penstock.soak");
    private static final long CALLS = LONG ? 100_000_000 : 4_000_000;
    private static final int CALLERS = 12;
    private static final int INSTANCES = 4;

    private final AtomicInteger open = new AtomicInteger();
    private final AtomicReference<@Nullable Throwable> wrong = new AtomicReference<>();
    private final AtomicLong ran = new AtomicLong();

    /** A service that notices a second call at once. */
    private final class Counted implements AutoCloseable {
        private final AtomicBoolean used = new AtomicBoolean();

        Counted() {
            open.incrementAndGet();
        }

        int use(SplittableRandom random, int kind) throws IOException {
            if (!used.compareAndSet(false, true)) {
                wrong.compareAndSet(null, new AssertionError("an instance is used by two calls"));
            }
            try {
                ran.incrementAndGet();
                if (kind == 0) {
                    throw new IllegalStateException("restart");
                }
                if (kind == 1) {
                    throw new IOException("resume");
                }
                if (kind == 2) {
                    LockSupport.parkNanos(2_000_000); // the deadline, sometimes
                }
                return random.nextInt();
            } finally {
                used.set(false);
            }
        }

        @Override
        public void close() {
            if (used.get()) {
                wrong.compareAndSet(
                        null, new AssertionError("an instance is stopped while it is used"));
            }
            open.decrementAndGet();
        }
    }

    @Test
    void pool_manyRandomCalls_losesNoInstanceAndSharesNone() throws Exception {
        long seed = System.nanoTime();
        SplittableRandom seeds = new SplittableRandom(seed);
        ServicePool<Counted> pool =
                ServicePool.of(Counted.class, Counted::new)
                        .size(INSTANCES)
                        .queue(CALLERS)
                        .callTimeout(Duration.ofMillis(2))
                        .closeTimeout(Duration.ofSeconds(60))
                        .supervise(
                                Supervision.standard()
                                        .backoff(
                                                new Backoff(
                                                        Duration.ofNanos(1_000),
                                                        Duration.ofMillis(1),
                                                        2,
                                                        0.5)))
                        .start();
        List<Thread> callers = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            SplittableRandom random = seeds.split();
            Runnable caller = () -> call(pool, random, CALLS / CALLERS, callers);
            callers.add(
                    i % 2 == 0
                            ? Thread.ofVirtual().unstarted(caller)
                            : Thread.ofPlatform().daemon().unstarted(caller));
        }
        callers.forEach(Thread::start);
        for (Thread each : callers) {
            each.join();
        }
        pool.resize(INSTANCES, INSTANCES);

        assertThat(wrong.get()).as("with the seed " + seed).isNull();
        long end = System.nanoTime() + SECONDS.toNanos(120);
        while (!isAtRest(pool.figures()) && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(1_000_000);
        }
        assertThat(pool.figures())
                .as("with the seed " + seed)
                .returns(INSTANCES, PoolFigures::idle)
                .returns(0, PoolFigures::busy)
                .returns(0, PoolFigures::waiting)
                .returns(0, PoolFigures::quarantined);
        assertThat(pool.figures().calls()).isEqualTo(ran.get());
        List<CompletableFuture<Integer>> all = new ArrayList<>();
        for (int i = 0; i < INSTANCES; i++) {
            all.add(pool.async(service -> service.use(new SplittableRandom(1), 9)));
        }
        for (CompletableFuture<Integer> each : all) {
            each.handle((value, failure) -> true).get(60, SECONDS);
        }
        pool.close();
        assertThat(open).as("service objects left, with the seed " + seed).hasValue(0);
    }

    private static boolean isAtRest(PoolFigures figures) {
        return figures.idle() == INSTANCES
                && figures.busy() + figures.waiting() + figures.quarantined() == 0;
    }

    private void call(
            ServicePool<Counted> pool, SplittableRandom random, long calls, List<Thread> callers) {
        for (long i = 0; i < calls && wrong.get() == null; i++) {
            int dice = random.nextInt(10_000);
            int kind = dice < 20 ? 0 : dice < 200 ? 1 : dice < 205 ? 2 : 9;
            try {
                if (dice >= 9_000 && dice < 9_200) {
                    SplittableRandom own = random.split();
                    CompletableFuture<Integer> future =
                            pool.async(service -> service.use(own, kind));
                    if (dice < 9_050) {
                        future.cancel(true);
                    } else {
                        future.handle((value, failure) -> true).join();
                    }
                } else if (dice >= 9_995) {
                    callers.get(random.nextInt(CALLERS)).interrupt();
                } else if (dice >= 9_990) {
                    int least = random.nextInt(1, INSTANCES + 1);
                    pool.resize(least, random.nextInt(least, INSTANCES + 3));
                } else {
                    pool.call(service -> service.use(random, kind));
                }
            } catch (ServiceException | IllegalStateException | IOException expected) {
                Thread.interrupted();
            } catch (Throwable e) {
                wrong.compareAndSet(null, e);
            }
        }
    }
}
