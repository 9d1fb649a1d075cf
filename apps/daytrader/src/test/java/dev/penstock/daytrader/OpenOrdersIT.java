package dev.penstock.daytrader;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.daytrader.run.DirectCalls;
import dev.penstock.daytrader.run.ForwardedCalls;
import dev.penstock.daytrader.run.TradeCalls;
import dev.penstock.daytrader.session.Passwords;
import dev.penstock.daytrader.store.Population;
import dev.penstock.daytrader.store.TradeDatabase;
import dev.penstock.daytrader.store.TradeStore;
import dev.penstock.daytrader.trade.OrderMode;
import dev.penstock.daytrader.trade.TradeServices;
import dev.penstock.service.ServiceCall;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The completion of orders that were left open. */
class OpenOrdersIT {
    /** More than one page of them. */
    private static final int ORDERS = TradeServices.MOST_ORDERS + 50;

    private TradeDatabase database;
    private TradeStore store;

    @BeforeEach
    void leaveOrdersOpen() throws SQLException {
        database = TradeDatabase.create(TradeDatabase.Kind.H2);
        store = new TradeStore(database.source(), new Passwords(1), true);
        store.populate(new Population(10, 10, 8), (_, _) -> {});
        try (TradeServices trade = store.holdingServices()) {
            for (int i = 0; i < ORDERS; i++) {
                trade.buy("uid:" + i % 10, "s:" + i % 10, 1, OrderMode.ASYNCHRONOUS);
            }
        }
    }

    @AfterEach
    void booksBalance() throws SQLException {
        try (TradeDatabase _ = database) {
            assertThat(store.checkBooks().broken()).isEmpty();
        }
    }

    @Test
    void complete_manyOrders_allButFailedAreCompletedFewAtOnce() throws SQLException {
        try (CountingCalls calls = new CountingCalls(new DirectCalls(store), n -> n % 100 == 1)) {
            OpenOrders orders = new OpenOrders(calls);
            orders.complete(0);
            assertThat(calls.started.get()).isEqualTo(ORDERS);
            assertThat(calls.mostAtOnce.get()).isBetween(2, OpenOrders.MOST_AT_ONCE);
            try (TradeServices trade = store.services()) {
                assertThat(trade.getLeftOpen(0)).hasSize((ORDERS + 99) / 100);
                orders.complete(Duration.ofDays(1).toMillis());
                assertThat(calls.started.get()).isEqualTo(ORDERS);
            }
        }
    }

    @Test
    void stop_whileCompleting_beginsNoMore() throws SQLException {
        try (CountingCalls calls = new CountingCalls(new DirectCalls(store), _ -> false)) {
            OpenOrders orders = new OpenOrders(calls);
            calls.onStart = orders::stop;
            orders.complete(0);
            assertThat(calls.started.get()).isEqualTo(OpenOrders.MOST_AT_ONCE);
        }
    }

    /** Calls of which those for later are counted, and some fail. */
    private static final class CountingCalls extends ForwardedCalls {
        final AtomicInteger started = new AtomicInteger();
        final AtomicInteger mostAtOnce = new AtomicInteger();
        Runnable onStart = () -> {};

        private final IntPredicate fails;
        private final AtomicInteger running = new AtomicInteger();

        CountingCalls(TradeCalls calls, IntPredicate fails) {
            super(calls);
            this.fails = fails;
        }

        @Override
        public <T extends @Nullable Object> T call(
                Part part, ServiceCall<TradeServices, T, SQLException> call) throws SQLException {
            assertThat(running.get()).isZero();
            return super.call(part, call);
        }

        @Override
        public <T> CompletableFuture<T> async(
                Part part, ServiceCall<TradeServices, T, SQLException> call) {
            onStart.run();
            if (fails.test(started.incrementAndGet())) {
                return CompletableFuture.failedFuture(new SQLException("injected"));
            }
            mostAtOnce.accumulateAndGet(running.incrementAndGet(), Math::max);
            return super.async(part, call).whenComplete((_, _) -> running.decrementAndGet());
        }
    }
}
