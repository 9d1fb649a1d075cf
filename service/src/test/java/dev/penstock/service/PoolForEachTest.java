package dev.penstock.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Items through real pools. */
@Timeout(value = 240, unit = TimeUnit.SECONDS)
class PoolForEachTest {
    private static final long WAIT = 60;

    /** Quotes symbols. */
    public interface Quotes {
        String quote(int symbol);
    }

    @ParameterizedTest
    @CsvSource({"1,0", "1,500", "4,0", "4,500", "16,3"})
    void forEach_anyPoolAndQueue_resultsAreInOrder(int size, int queue) {
        try (ServicePool<Quotes> pool = pool(size, queue)) {
            for (int items : new int[] {0, 1, size, size + 1, 2_000}) {
                List<Integer> symbols = IntStream.range(0, items).boxed().toList();

                List<String> quotes = pool.forEach(symbols, (q, symbol) -> q.quote(symbol));

                assertThat(quotes).isEqualTo(symbols.stream().map(symbol -> "q" + symbol).toList());
            }
            assertThat(pool.figures().rejections()).isZero();
        }
    }

    @Test
    void forEach_idleInstances_runAtOnce() {
        int size = 5;
        CountDownLatch together = new CountDownLatch(size);
        try (ServicePool<Quotes> pool = pool(size, 500)) {
            List<Boolean> met =
                    pool.forEach(
                            IntStream.range(0, size).boxed().toList(),
                            (_, _) -> {
                                together.countDown();
                                try {
                                    return together.await(WAIT, TimeUnit.SECONDS);
                                } catch (InterruptedException e) {
                                    throw new IllegalStateException(e);
                                }
                            });

            assertThat(met).hasSize(size).containsOnly(true);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void forEach_fromInsideAnInstanceOfThePool_doesNotWaitForItself(int size) {
        try (ServicePool<Quotes> pool = pool(size, 0)) {
            List<Integer> symbols = IntStream.range(0, 300).boxed().toList();

            List<String> quotes =
                    pool.call(_ -> pool.forEach(symbols, (q, symbol) -> q.quote(symbol)));

            assertThat(quotes).hasSize(300).startsWith("q0", "q1").endsWith("q299");
        }
    }

    @Test
    void forEach_oneFails_isThrownAsItIsAndTheRestIsNotCalled() {
        AtomicInteger called = new AtomicInteger();
        IOException failure = new IOException("no such symbol");
        try (ServicePool<Quotes> pool = pool(3, 10)) {
            assertThatThrownBy(() ->
                            pool.forEach(
                                    IntStream.range(0, 100_000).boxed().toList(),
                                    (_, symbol) -> {
                                        called.incrementAndGet();
                                        if (symbol == 50) {
                                            throw failure;
                                        }
                                        return symbol;
                                    }))
                    .isSameAs(failure);
        }
        assertThat(called.get()).isLessThan(100_000);
    }

    @Test
    void forEach_100_000ItemsBesideOtherCallers_neverFillTheQueue() throws Exception {
        AtomicInteger mostWaiting = new AtomicInteger();
        try (ServicePool<Quotes> pool = pool(4, 8)) {
            List<Integer> symbols = IntStream.range(0, 100_000).boxed().toList();
            CountDownLatch done = new CountDownLatch(2);
            for (int i = 0; i < 2; i++) {
                Thread.startVirtualThread(() -> {
                    for (int call = 0; call < 1_000; call++) {
                        pool.run(_ -> {});
                        mostWaiting.accumulateAndGet(pool.figures().waiting(), Math::max);
                    }
                    done.countDown();
                });
            }

            List<String> quotes = pool.forEach(symbols, (q, symbol) -> q.quote(symbol));

            assertThat(quotes).hasSize(100_000).endsWith("q99999");
            assertThat(done.await(WAIT, TimeUnit.SECONDS)).isTrue();
            assertThat(pool.figures().rejections()).isZero();
            assertThat(mostWaiting.get()).isLessThanOrEqualTo(8);
        }
    }

    private static ServicePool<Quotes> pool(int size, int queue) {
        ServicePool<Quotes> pool =
                ServicePool.<Quotes>of(Quotes.class, () -> symbol -> "q" + symbol)
                        .size(size)
                        .queue(queue)
                        .callTimeout(Duration.ofSeconds(WAIT))
                        .start();
        try {
            assertThat(pool.awaitReady(Duration.ofSeconds(WAIT))).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        return pool;
    }
}
