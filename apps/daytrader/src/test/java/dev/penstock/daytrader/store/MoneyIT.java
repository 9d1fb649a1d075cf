package dev.penstock.daytrader.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.daytrader.session.Passwords;
import dev.penstock.daytrader.trade.Holding;
import dev.penstock.daytrader.trade.OrderMode;
import dev.penstock.daytrader.trade.TradeException;
import dev.penstock.daytrader.trade.TradeServices;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** No money and no share is lost or made, whatever fails and whoever meets. */
class MoneyIT {
    private static final Population SMALL = new Population(10, 12, 3);
    private static final int MOST_STEPS = 40;
    private static final int THREADS = 8;

    private interface Operation {
        void run(TradeServices trade) throws SQLException;
    }

    @ParameterizedTest
    @EnumSource
    void failure_betweenAnyTwoStatements_booksBalance(TradeDatabase.Kind kind) throws SQLException {
        try (TradeDatabase database = TradeDatabase.create(kind)) {
            FaultySource faulty = new FaultySource(database.source());
            TradeStore store = new TradeStore(faulty, new Passwords(1), false);
            store.populate(SMALL, (_, _) -> {});
            List<Operation> operations =
                    List.of(
                            trade -> trade.buy("uid:0", "s:1", 3, OrderMode.SYNCHRONOUS),
                            trade -> trade.buy("uid:0", "s:2", 3, OrderMode.ASYNCHRONOUS),
                            trade -> sellOne(trade, OrderMode.SYNCHRONOUS),
                            trade -> sellOne(trade, OrderMode.ASYNCHRONOUS),
                            MoneyIT::completeOne,
                            MoneyIT::cancelOne,
                            trade -> trade.getClosedOrders("uid:0"));
            for (boolean holds : new boolean[] {false, true}) {
                for (boolean after : new boolean[] {false, true}) {
                    for (Operation operation : operations) {
                        failEverywhere(store, faulty, operation, holds, after);
                    }
                }
            }
        }
    }

    private static void failEverywhere(
            TradeStore store,
            FaultySource faulty,
            Operation operation,
            boolean holds,
            boolean after)
            throws SQLException {
        try (TradeServices trade = holds ? store.holdingServices() : store.services()) {
            for (int step = 1; step <= MOST_STEPS; step++) {
                boolean hasFailed = false;
                trade.getClosedOrders("uid:0");
                for (int i = 0; i < 2; i++) {
                    // Whatever the operation needs is there.
                    trade.buy("uid:0", "s:3", 1, OrderMode.SYNCHRONOUS);
                    trade.buy("uid:0", "s:3", 1, OrderMode.ASYNCHRONOUS);
                }
                faulty.failAt(step, after);
                try {
                    operation.run(trade);
                } catch (SQLException e) {
                    assertThat(e.getMessage()).startsWith("injected");
                    hasFailed = true;
                } finally {
                    faulty.heal();
                }
                assertThat(store.checkBooks().broken())
                        .as("holds %s, after %s, step %d", holds, after, step)
                        .isEmpty();
                if (!hasFailed) {
                    assertThat(step).isGreaterThan(1);
                    return;
                }
            }
        }
        throw new AssertionError("the operation has more than " + MOST_STEPS + " steps");
    }

    private static void sellOne(TradeServices trade, OrderMode mode) throws SQLException {
        for (Holding holding : trade.getHoldings("uid:0")) {
            if (!holding.isBeingSold()) {
                trade.sell("uid:0", holding.holdingID(), mode);
                return;
            }
        }
    }

    private static void completeOne(TradeServices trade) throws SQLException {
        trade.completeOrder(trade.getLeftOpen(0).getFirst());
    }

    private static void cancelOne(TradeServices trade) throws SQLException {
        trade.cancelOrder(trade.getLeftOpen(0).getFirst());
    }

    @ParameterizedTest
    @EnumSource
    void operations_randomAndConcurrent_booksBalance(TradeDatabase.Kind kind) throws Exception {
        int operations = Boolean.getBoolean("penstock.soak") ? 25_000 : 250;
        try (TradeDatabase database = TradeDatabase.create(kind)) {
            FaultySource faulty = new FaultySource(database.source());
            TradeStore store = new TradeStore(faulty, new Passwords(1), false);
            store.populate(SMALL, (_, _) -> {});
            AtomicInteger done = new AtomicInteger();
            AtomicInteger failed = new AtomicInteger();
            try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
                List<Future<?>> running = new ArrayList<>();
                for (int i = 0; i < THREADS; i++) {
                    int seed = i;
                    running.add(
                            threads.submit(() -> {
                                trade(store, faulty, seed, operations, done, failed);
                                return null;
                            }));
                }
                join(running);
            }
            faulty.heal();
            assertThat(store.checkBooks().broken()).isEmpty();
            assertThat(done.get()).isGreaterThan(failed.get());
            completeAll(store);
            assertThat(store.checkBooks().broken()).isEmpty();
        }
    }

    private static void join(List<Future<?>> running) throws InterruptedException {
        for (Future<?> each : running) {
            try {
                each.get();
            } catch (ExecutionException e) {
                throw new AssertionError(e.getCause());
            }
        }
    }

    private static void completeAll(TradeStore store) throws SQLException {
        try (TradeServices trade = store.services()) {
            for (int order : trade.getLeftOpen(0)) {
                trade.completeOrder(order);
            }
            assertThat(trade.getLeftOpen(0)).isEmpty();
        }
    }

    /** Two users and three stocks for all threads, so that they meet. */
    private static void trade(
            TradeStore store,
            FaultySource faulty,
            int seed,
            int operations,
            AtomicInteger done,
            AtomicInteger failed)
            throws SQLException {
        SplittableRandom random = new SplittableRandom(seed);
        try (TradeServices trade = seed % 2 == 0 ? store.holdingServices() : store.services()) {
            for (int i = 0; i < operations; i++) {
                if (random.nextInt(20) == 0) {
                    faulty.failAt(1 + random.nextInt(12), random.nextBoolean());
                }
                try {
                    one(trade, random);
                    done.incrementAndGet();
                } catch (SQLException e) {
                    if (!String.valueOf(e.getMessage()).startsWith("injected")) {
                        throw e;
                    }
                    failed.incrementAndGet();
                } catch (TradeException _) {
                    // Somebody else was there first.
                    done.incrementAndGet();
                }
            }
        }
    }

    private static void one(TradeServices trade, SplittableRandom random) throws SQLException {
        String user = "uid:" + random.nextInt(2);
        OrderMode mode = random.nextBoolean() ? OrderMode.SYNCHRONOUS : OrderMode.ASYNCHRONOUS;
        switch (random.nextInt(6)) {
            case 0, 1 -> trade.buy(user, "s:" + random.nextInt(3), 1 + random.nextInt(50), mode);
            case 2 -> {
                List<Holding> holdings = trade.getHoldings(user);
                if (!holdings.isEmpty()) {
                    Holding chosen = holdings.get(random.nextInt(holdings.size()));
                    trade.sell(user, chosen.holdingID(), mode);
                }
            }
            case 3 -> {
                List<Integer> open = trade.getLeftOpen(0);
                if (!open.isEmpty()) {
                    trade.completeOrder(open.get(random.nextInt(open.size())));
                }
            }
            case 4 -> {
                List<Integer> open = trade.getLeftOpen(0);
                if (!open.isEmpty()) {
                    trade.cancelOrder(open.get(random.nextInt(open.size())));
                }
            }
            default -> trade.getClosedOrders(user);
        }
    }
}
