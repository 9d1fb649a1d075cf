package dev.penstock.demo;

import dev.penstock.service.Backoff;
import dev.penstock.service.PoolFigures;
import dev.penstock.service.ServicePool;
import dev.penstock.service.Supervision;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A service pool whose calls only take their time, and simulated callers of it, which call again and again while
 * somebody watches. A call fails or hangs when somebody asked for that. Thread-safe.
 */
final class SamplePool implements AutoCloseable {
    static final int MOST_INSTANCES = 16;
    static final int MOST_CALLERS = 300;
    static final int LEAST_MILLIS = 5;
    static final int MOST_MILLIS = 1000;
    static final int QUEUE = 100;
    static final Duration CALL_TIMEOUT = Duration.ofSeconds(3);

    /**
     * The longest wait. It leaves each call the time that it needs: those that begin shortly before their deadline
     * would cost an instance each, and a long queue would be all of these.
     */
    static final Duration QUEUE_TIMEOUT = Duration.ofSeconds(1);

    /** The duration of a call that hangs; longer than the deadline, so that its quarantine can be seen. */
    private static final Duration HANG = Duration.ofSeconds(8);

    /** The duration of a start; the first ones take no time. */
    private static final Duration START = Duration.ofMillis(700);

    /** The least wait of a caller after a failure, before it calls again; the longest is three times as much. */
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    /**
     * The size of the pool and the load on it.
     *
     * @param instances the pool's size, 1 to {@value #MOST_INSTANCES}
     * @param callers those who call at once, 0 to {@value #MOST_CALLERS}
     * @param millis how long a call takes in the mean, {@value #LEAST_MILLIS} to {@value #MOST_MILLIS}
     */
    record Settings(int instances, int callers, int millis) {}

    /** A mishap that a call can be made to have. */
    enum Trouble {
        FAIL,
        HANG
    }

    /** The service. One object serves one call at a time. */
    private final class Work {
        void take(int millis) throws InterruptedException {
            Trouble trouble = troubles.poll();
            if (trouble == Trouble.HANG) {
                hang();
                return;
            }
            int least = millis / 2;
            Thread.sleep(ThreadLocalRandom.current().nextInt(least, millis + least + 1));
            if (trouble == Trouble.FAIL) {
                throw new IllegalStateException("A failure that was asked for");
            }
        }

        /** Heeds no interrupt, as code that waits for a broken peer often does not. */
        private void hang() {
            boolean interrupted = false;
            long until = System.nanoTime() + HANG.toNanos();
            while (true) {
                try {
                    var _ = closing.await(until - System.nanoTime(), TimeUnit.NANOSECONDS);
                    break;
                } catch (InterruptedException _) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private final Queue<Trouble> troubles = new ArrayBlockingQueue<>(MOST_INSTANCES);
    private final CountDownLatch closing = new CountDownLatch(1);
    private final @Nullable Thread[] callers = new @Nullable Thread[MOST_CALLERS];
    private final ServicePool<Work> pool;

    /** The callers with lower numbers go on. */
    private volatile int wanted;

    private volatile Settings settings = new Settings(4, 24, 100);

    /** Whether the first instances are there; starts take some time from then on. */
    private volatile boolean opened;

    SamplePool() {
        pool =
                ServicePool.of(Work.class, this::start)
                        .name("demo")
                        .size(settings.instances)
                        .queue(QUEUE)
                        .queueTimeout(QUEUE_TIMEOUT)
                        .callTimeout(CALL_TIMEOUT)
                        .closeTimeout(Duration.ZERO)
                        .drainQueue(false)
                        .supervise(
                                Supervision.standard()
                                        .backoff(
                                                new Backoff(
                                                        Duration.ofMillis(500),
                                                        Duration.ofSeconds(4),
                                                        2,
                                                        0.2)))
                        .start();
        opened = true;
    }

    private Work start() throws InterruptedException {
        if (opened) {
            var _ = closing.await(START.toNanos(), TimeUnit.NANOSECONDS);
        }
        return new Work();
    }

    PoolFigures figures() {
        return pool.figures();
    }

    List<PoolFigures.Instance> instances() {
        return pool.instances();
    }

    Settings settings() {
        return settings;
    }

    /** Changes the pool's size at once, and the callers with the next {@link #watched}. */
    synchronized void set(Settings changed) {
        settings = changed;
        pool.resize(changed.instances, changed.instances);
    }

    /**
     * Lets one of the next calls fail or hang. Returns false if as many are to do so already as the pool can have
     * instances.
     */
    boolean trouble(Trouble kind) {
        if (!troubles.offer(kind)) {
            return false;
        }
        // Whoever calls next gets it: where there are no callers, this one.
        int millis = settings.millis;
        var _ =
                pool.<@Nullable Object>async(work -> {
                    work.take(millis);
                    return null;
                });
        return true;
    }

    /** Has as many callers as were asked for, or none when nobody watches. To be called now and then. */
    synchronized void watched(boolean watched) {
        wanted = watched && closing.getCount() > 0 ? settings.callers : 0;
        for (int i = 0; i < wanted; i++) {
            Thread caller = callers[i];
            if (caller == null || !caller.isAlive()) {
                int number = i;
                callers[i] =
                        Thread.ofVirtual()
                                .name("demo-caller-" + number)
                                .start(() -> callRepeatedly(number));
            }
        }
    }

    /** Returns how many callers there are. */
    synchronized int callers() {
        int alive = 0;
        for (Thread caller : callers) {
            alive += caller != null && caller.isAlive() ? 1 : 0;
        }
        return alive;
    }

    private void callRepeatedly(int number) {
        while (number < wanted) {
            int millis = settings.millis;
            try {
                pool.run(work -> work.take(millis));
            } catch (InterruptedException | RuntimeException _) {
                // The pool has counted it.
                LockSupport.parkNanos(
                        ThreadLocalRandom.current().nextLong(PAUSE_NANOS, 3 * PAUSE_NANOS));
            }
        }
    }

    @Override
    public void close() {
        closing.countDown();
        watched(false);
        pool.close();
    }
}
