package dev.penstock.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Asynchronous calls of one instance that follow each other on one thread. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class PoolAsyncTest {
    private static final long WAIT = 60;
    private static final int CALLS = 1_000;

    /** A service whose calls say on which thread they ran. */
    private static final class Threads {
        private final AtomicInteger calls = new AtomicInteger();

        Thread run() {
            calls.incrementAndGet();
            return Thread.currentThread();
        }

        boolean isInterrupted() {
            boolean before = Thread.currentThread().isInterrupted();
            Thread.currentThread().interrupt();
            return before;
        }
    }

    private static ServicePoolBuilder<Threads> builder() {
        return ServicePool.of(Threads.class, Threads::new)
                .size(1)
                .queue(CALLS)
                .callTimeout(Duration.ZERO);
    }

    @Test
    void calls_thatWait_needFewThreads() throws Exception {
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        CountDownLatch queued = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(CALLS);
        try (ServicePool<Threads> pool = builder().start()) {
            var first = pool.async(_ -> queued.await(WAIT, TimeUnit.SECONDS));
            List<CompletableFuture<Boolean>> futures = new ArrayList<>();
            for (int i = 0; i < CALLS; i++) {
                futures.add(
                        pool.async(service -> {
                            boolean isNew = threads.add(service.run());
                            done.countDown();
                            return isNew;
                        }));
            }
            queued.countDown();
            assertThat(done.await(WAIT, TimeUnit.SECONDS)).isTrue();
            assertThat(first.get(WAIT, TimeUnit.SECONDS)).isTrue();
            for (CompletableFuture<Boolean> each : futures) {
                assertThat(each.get(WAIT, TimeUnit.SECONDS)).isNotNull();
            }
            assertThat(threads).hasSizeLessThan(CALLS / 10);
        }
    }

    @Test
    void call_thatFollowsOne_onWhoseResultSomebodyWaitsForIt_isMade() throws Exception {
        CountDownLatch queued = new CountDownLatch(1);
        CountDownLatch made = new CountDownLatch(1);
        try (ServicePool<Threads> pool = builder().start()) {
            CompletableFuture<Boolean> first =
                    pool.async(_ -> queued.await(WAIT, TimeUnit.SECONDS));
            CompletableFuture<Boolean> dependent = first.thenApply(_ -> await(made));
            CompletableFuture<Thread> second =
                    pool.async(service -> {
                        made.countDown();
                        return service.run();
                    });
            queued.countDown();
            assertThat(second.get(WAIT, TimeUnit.SECONDS)).isNotNull();
            assertThat(dependent.get(WAIT, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void call_thatFollowsOne_whoseThreadDoesNotComeBack_isMadeOnAnother() throws Exception {
        CountDownLatch queued = new CountDownLatch(1);
        CountDownLatch made = new CountDownLatch(1);
        AtomicInteger ended = new AtomicInteger();
        PoolListener slow =
                new PoolListener() {
                    @Override
                    public void called(
                            String method, long queued, long ran, @Nullable Throwable failure) {
                        if (ended.incrementAndGet() == 1) {
                            assertThat(await(made)).isTrue();
                        }
                    }
                };
        try (ServicePool<Threads> pool = builder().listener(slow).start()) {
            CompletableFuture<Boolean> first =
                    pool.async(_ -> queued.await(WAIT, TimeUnit.SECONDS));
            CompletableFuture<Thread> second =
                    pool.async(service -> {
                        made.countDown();
                        return service.run();
                    });
            queued.countDown();
            assertThat(second.get(WAIT, TimeUnit.SECONDS)).isNotNull();
            assertThat(first.get(WAIT, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void call_thatFollowsOne_whichLeftItsThreadInterrupted_isNotInterrupted() throws Exception {
        CountDownLatch queued = new CountDownLatch(1);
        try (ServicePool<Threads> pool = builder().start()) {
            var first = pool.async(_ -> queued.await(WAIT, TimeUnit.SECONDS));
            List<CompletableFuture<Boolean>> interrupted = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                interrupted.add(pool.async(Threads::isInterrupted));
            }
            queued.countDown();
            for (CompletableFuture<Boolean> each : interrupted) {
                assertThat(each.get(WAIT, TimeUnit.SECONDS)).isFalse();
            }
            assertThat(first.get(WAIT, TimeUnit.SECONDS)).isTrue();
        }
    }

    /** A service that returns a stage of its own. */
    public interface Stages {
        CompletableFuture<String> later();
    }

    @Test
    void stage_thatCallsBackTwice_givesItsInstanceBackOnce() throws Exception {
        Stages twice =
                () ->
                        new CompletableFuture<>() {
                            @Override
                            public CompletableFuture<String> whenComplete(
                                    BiConsumer<? super String, ? super Throwable> action) {
                                action.accept("once", null);
                                action.accept("twice", null);
                                return this;
                            }
                        };
        CountDownLatch done = new CountDownLatch(1);
        try (ServicePool<Stages> pool =
                ServicePool.of(Stages.class, () -> twice)
                        .size(1)
                        .queue(2)
                        .callTimeout(Duration.ZERO)
                        .start()) {
            assertThat(pool.proxy().later().get(WAIT, TimeUnit.SECONDS)).isEqualTo("once");
            CompletableFuture<Boolean> first = pool.async(_ -> await(done));
            CompletableFuture<Boolean> second = pool.async(_ -> done.getCount() == 0);
            assertThat(pool.figures().waiting()).isEqualTo(1);
            done.countDown();
            assertThat(first.get(WAIT, TimeUnit.SECONDS)).isTrue();
            assertThat(second.get(WAIT, TimeUnit.SECONDS)).isTrue();
        }
    }

    private static boolean await(CountDownLatch latch) {
        try {
            return latch.await(WAIT, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
