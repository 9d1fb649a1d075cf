package dev.penstock.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Keys in front of real pools. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class PoolKeyTest {
    private static final long WAIT = 60;

    /** A service of accounts. */
    public interface Accounts {
        int book(String account, int amount) throws IOException;

        CompletableFuture<Integer> later(int value);

        void note(int value);
    }

    /** An instance that writes down what it is asked. */
    private record Instance(List<Integer> noted) implements Accounts {
        @Override
        public int book(String account, int amount) throws IOException {
            throw new IOException(account + amount);
        }

        @Override
        public CompletableFuture<Integer> later(int value) {
            return CompletableFuture.completedFuture(value);
        }

        @Override
        public void note(int value) {
            noted.add(value);
        }
    }

    @Test
    void key_asynchronousCalls_runInTheirOrder() throws Exception {
        int calls = 5_000;
        List<List<Integer>> seen = new ArrayList<>();
        IntStream.range(0, 3).forEach(_ -> seen.add(new ArrayList<>()));
        try (ServicePool<Accounts> pool = pool(4, calls, new ArrayList<>())) {
            List<CompletableFuture<?>> futures = new ArrayList<>();
            for (int i = 0; i < calls; i++) {
                int call = i;
                futures.add(pool.key(i % 3).async(_ -> seen.get(call % 3).add(call)));
            }
            CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new))
                    .get(WAIT, TimeUnit.SECONDS);
        }
        assertThat(seen).allSatisfy(each -> assertThat(each).isSorted());
        assertThat(seen.stream().mapToInt(List::size).sum()).isEqualTo(calls);
    }

    @Test
    void proxy_oneWayCallsForAKey_runInTheirOrder() throws Exception {
        List<Integer> noted = new ArrayList<>();
        try (ServicePool<Accounts> pool = pool(4, 1_000, noted)) {
            Accounts account = pool.key("a").proxy();
            IntStream.range(0, 1_000).forEach(account::note);

            assertThat(account.later(7).get(WAIT, TimeUnit.SECONDS)).isEqualTo(7);
            assertThat(account.toString()).startsWith("proxy of pool Accounts for the key a (");
        }
        assertThat(noted).isEqualTo(IntStream.range(0, 1_000).boxed().toList());
    }

    @Test
    void call_blocking_runsOnTheCallersThreadAndThrowsWhatWasThrown() throws Exception {
        try (ServicePool<Accounts> pool = pool(2, 10, new ArrayList<>())) {
            KeyedPool<Accounts> account = pool.key("a");

            Thread ran = account.call(_ -> Thread.currentThread());
            assertThat(ran).isSameAs(Thread.currentThread());
            assertThatThrownBy(() -> account.proxy().book("x", 1))
                    .isInstanceOf(IOException.class)
                    .hasMessage("x1");
            assertThatThrownBy(() -> account.run(a -> a.book("y", 2))).hasMessage("y2");
            assertThat(
                            account.<Object, RuntimeException>call(
                                    _ -> pool.key("a").call(_ -> "inner")))
                    .isEqualTo("inner");
        }
    }

    @Test
    void call_manyThreadsForOneKey_oneAtATime() throws Exception {
        AtomicInteger running = new AtomicInteger();
        AtomicInteger overlaps = new AtomicInteger();
        CountDownLatch done = new CountDownLatch(50);
        try (ServicePool<Accounts> pool = pool(8, 100, new ArrayList<>())) {
            for (int i = 0; i < 50; i++) {
                Thread.startVirtualThread(() -> {
                    for (int call = 0; call < 100; call++) {
                        pool.key("a")
                                .run(_ -> {
                                    if (running.incrementAndGet() > 1) {
                                        overlaps.incrementAndGet();
                                    }
                                    running.decrementAndGet();
                                });
                    }
                    done.countDown();
                });
            }
            assertThat(done.await(WAIT, TimeUnit.SECONDS)).isTrue();
            assertThat(overlaps).hasValue(0);
        }
    }

    @Test
    void call_lanesFull_isRejectedAndSaysForHowLong() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1);
        try (ServicePool<Accounts> pool = pool(2, 1, new ArrayList<>())) {
            CompletableFuture<?> first =
                    pool.key("a")
                            .async(_ -> {
                                begun.countDown();
                                return end.await(WAIT, TimeUnit.SECONDS);
                            });
            assertThat(begun.await(WAIT, TimeUnit.SECONDS)).isTrue();
            CompletableFuture<?> second = pool.key("a").async(_ -> 2);

            assertThatThrownBy(() -> pool.key("a").call(_ -> 3))
                    .isInstanceOfSatisfying(
                            CallRejectedException.class,
                            e ->
                                    assertThat(e.retryAfter())
                                            .isBetween(Duration.ZERO, Duration.ofMinutes(1)))
                    .hasMessageContaining("1 calls wait");
            assertThat(pool.key("b").<Integer, RuntimeException>call(_ -> 4)).isEqualTo(4);

            end.countDown();
            first.get(WAIT, TimeUnit.SECONDS);
            second.get(WAIT, TimeUnit.SECONDS);
        }
    }

    private static ServicePool<Accounts> pool(int size, int queue, List<Integer> noted) {
        return ServicePool.<Accounts>of(Accounts.class, () -> new Instance(noted))
                .size(size)
                .queue(queue)
                .callTimeout(Duration.ofSeconds(WAIT))
                .start();
    }
}
