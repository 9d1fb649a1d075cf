package dev.penstock.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Pools that are split by kinds of calls. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class PoolPartsTest {
    private static final long WAIT = 60;

    /** Frequent and rare calls. */
    public interface Trade {
        String quote();

        String quote(String symbol);

        String order();

        String report(CountDownLatch begun, CountDownLatch end) throws InterruptedException;
    }

    /** An instance that says of which pool it is. */
    private record Instance(String pool) implements Trade {
        @Override
        public String quote() {
            return pool;
        }

        @Override
        public String quote(String symbol) {
            return pool;
        }

        @Override
        public String order() {
            return pool;
        }

        @Override
        public String report(CountDownLatch begun, CountDownLatch end) throws InterruptedException {
            begun.countDown();
            end.await();
            return pool;
        }
    }

    @Test
    void part_methods_areServedByTheirPart() {
        try (ServicePool<Trade> pool =
                builder()
                        .part("quotes", part -> part.size(3), "quote")
                        .part("rare", part -> part.size(1).queue(0), "report")
                        .start()) {
            Trade proxy = pool.proxy();

            assertThat(proxy.quote()).isEqualTo("trade.quotes");
            assertThat(proxy.quote("overloads too")).isEqualTo("trade.quotes");
            assertThat(proxy.order()).isEqualTo("trade");
            String whole = pool.call(Trade::quote);
            String rare = pool.part("rare").call(Trade::quote);
            assertThat(whole).isEqualTo("trade");
            assertThat(rare).isEqualTo("trade.rare");
            assertThat(pool.part("quotes").figures().max()).isEqualTo(3);
            assertThat(pool.part("quotes").name()).isEqualTo("trade.quotes");
            assertThat(pool.parts()).containsExactly(pool.part("quotes"), pool.part("rare"));
            assertThat(pool.part("quotes").parts()).isEmpty();
            assertThat(pool.figures().max()).as("the rest of the pool").isEqualTo(2);
            assertThat(pool.key("k").proxy().quote()).isEqualTo("trade.quotes");
        }
    }

    @Test
    void part_allInstancesBusy_otherCallsGoOn() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        try (ServicePool<Trade> pool =
                builder().part("rare", part -> part.size(1).queue(0), "report").start()) {
            assertThat(pool.part("rare").awaitReady(Duration.ofSeconds(WAIT))).isTrue();
            Thread slow =
                    Thread.startVirtualThread(() -> {
                        try {
                            pool.proxy().report(begun, end);
                        } catch (InterruptedException e) {
                            throw new IllegalStateException(e);
                        }
                    });
            assertThat(begun.await(WAIT, TimeUnit.SECONDS)).isTrue();

            assertThat(pool.proxy().quote()).isEqualTo("trade");
            assertThatThrownBy(() -> pool.proxy().report(begun, end))
                    .isInstanceOf(CallRejectedException.class);

            end.countDown();
            assertThat(slow.join(Duration.ofSeconds(WAIT))).isTrue();
        }
    }

    @Test
    void part_keysOfTheWholePool_keepTheirOrderAcrossParts() throws Exception {
        List<String> seen = new ArrayList<>();
        AtomicInteger running = new AtomicInteger();
        try (ServicePool<Trade> pool =
                builder().size(4).part("quotes", part -> part.size(4), "quote").start()) {
            KeyedPool<Trade> keyed = pool.key("account");
            for (int i = 0; i < 200; i++) {
                int call = i;
                keyed.async(_ -> {
                    assertThat(running.incrementAndGet()).isOne();
                    seen.add("c" + call);
                    return running.decrementAndGet();
                });
            }
            assertThat(keyed.proxy().quote()).isEqualTo("trade.quotes");
        }
        assertThat(seen).hasSize(200).startsWith("c0", "c1", "c2").endsWith("c199");
    }

    @Test
    void close_partsCloseToo_andReadyNeedsAll() throws Exception {
        Map<String, AtomicInteger> stopped = new ConcurrentHashMap<>();
        ServicePool<Trade> pool =
                builder()
                        .onStop((_, context) ->
                                stopped.computeIfAbsent(
                                                context.poolName(), _ -> new AtomicInteger())
                                        .incrementAndGet())
                        .part("quotes", part -> part.size(3), "quote")
                        .start();
        assertThat(pool.awaitReady(Duration.ofSeconds(WAIT))).isTrue();
        ServicePool<Trade> part = pool.part("quotes");
        assertThat(part.awaitReady(Duration.ofSeconds(WAIT))).isTrue();
        while (part.figures().idle() < 3 || pool.figures().idle() < 2) {
            Thread.onSpinWait();
        }
        pool.close();
        pool.close();

        assertThat(stopped.get("trade")).hasValue(2);
        assertThat(stopped.get("trade.quotes")).hasValue(3);
        assertThat(pool.isReady()).isFalse();
        assertThatThrownBy(() -> part.call(Trade::quote))
                .isInstanceOfSatisfying(
                        ServiceException.class,
                        e -> assertThat(e.kind()).isEqualTo(ServiceException.Kind.CLOSED));
    }

    @Test
    void part_whatMakesNoSense_isRefusedWithTheRemedy() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder().part("", _ -> {}, "quote"))
                .withMessage("Pool trade: the part \"\" has no name; give it one.");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder().part("a", _ -> {}))
                .withMessage(
                        "Pool trade: the part \"a\" has no methods; name those that it serves.");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder().part("a", _ -> {}, "quote").part("a", _ -> {}, "order"))
                .withMessage(
                        "Pool trade: the part \"a\" exists already; give each part a name of its own.");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder().part("a", _ -> {}, "quote").part("b", _ -> {}, "quote"))
                .withMessage(
                        "Pool trade: the part \"b\" is to serve quote, and so is the part \"a\"; name each method"
                                + " once.");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder().part("a", _ -> {}, "qoute").start())
                .withMessage(
                        "Pool trade: the part \"a\" is to serve qoute, which is no method of "
                                + Trade.class.getName()
                                + "; name some of order, quote, report.");
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        builder()
                                .part("a", part -> part.part("b", _ -> {}, "order"), "quote")
                                .start())
                .withMessage(
                        "Pool trade: the part \"a\" is split itself; make all parts of the pool.");
        try (ServicePool<Trade> pool = builder().part("a", _ -> {}, "quote").start()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> pool.part("b"))
                    .withMessage("Pool trade has no part \"b\"; it has [a].");
        }
        try (ServicePool<Trade> pool = builder().start()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> pool.part("b"))
                    .withMessage("Pool trade has no part \"b\"; it has [].");
        }
    }

    private static ServicePoolBuilder<Trade> builder() {
        return ServicePool.<Trade>of(Trade.class, context -> new Instance(context.poolName()))
                .name("trade")
                .size(2)
                .callTimeout(Duration.ZERO);
    }
}
