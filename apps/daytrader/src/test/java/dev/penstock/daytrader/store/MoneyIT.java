package dev.penstock.daytrader.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.daytrader.session.Passwords;
import dev.penstock.daytrader.trade.AccountProfile;
import dev.penstock.daytrader.trade.Holding;
import dev.penstock.daytrader.trade.Order;
import dev.penstock.daytrader.trade.OrderMode;
import dev.penstock.daytrader.trade.Registration;
import dev.penstock.daytrader.trade.TradeException;
import dev.penstock.daytrader.trade.TradeServices;
import java.math.BigDecimal;
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
    private static final AtomicInteger REGISTERED = new AtomicInteger();

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
            for (boolean holds : new boolean[] {false, true}) {
                for (boolean after : new boolean[] {false, true}) {
                    for (Trial trial : trials()) {
                        failEverywhere(store, faulty, trial, holds, after);
                    }
                }
            }
        }
    }

    /** An operation, and what makes that there is whatever it needs. */
    private record Trial(Operation before, Operation tried) {}

    private static List<Trial> trials() {
        return List.of(
                new Trial(MoneyIT::trade, MoneyIT::buyOne),
                new Trial(
                        MoneyIT::trade,
                        trade -> trade.buy("uid:0", "s:2", 3, OrderMode.ASYNCHRONOUS)),
                new Trial(MoneyIT::trade, trade -> sellOne(trade, OrderMode.SYNCHRONOUS)),
                new Trial(MoneyIT::trade, trade -> sellOne(trade, OrderMode.ASYNCHRONOUS)),
                new Trial(MoneyIT::trade, MoneyIT::completeOne),
                new Trial(MoneyIT::trade, MoneyIT::cancelOne),
                new Trial(MoneyIT::trade, trade -> trade.getClosedOrders("uid:0")),
                new Trial(MoneyIT::buyOne, MoneyIT::tellOne),
                new Trial(
                        _ -> {},
                        trade -> trade.updateQuotePriceVolume("s:3", new BigDecimal("1.05"), 1)),
                new Trial(_ -> {}, trade -> trade.login("uid:0", "xxx")),
                new Trial(_ -> {}, trade -> trade.logout("uid:0")),
                new Trial(_ -> {}, MoneyIT::changeProfile),
                new Trial(_ -> {}, MoneyIT::register),
                new Trial(MoneyIT::registerAndTrade, TradeServices::resetTrade));
    }

    private static void failEverywhere(
            TradeStore store, FaultySource faulty, Trial trial, boolean holds, boolean after)
            throws SQLException {
        try (TradeServices trade = holds ? store.holdingServices() : store.services()) {
            for (int step = 1; step <= MOST_STEPS; step++) {
                boolean hasFailed = false;
                trial.before.run(trade);
                faulty.failAt(step, after);
                try {
                    trial.tried.run(trade);
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

    private static void trade(TradeServices trade) throws SQLException {
        trade.getClosedOrders("uid:0");
        for (int i = 0; i < 2; i++) {
            trade.buy("uid:0", "s:3", 1, OrderMode.SYNCHRONOUS);
            trade.buy("uid:0", "s:3", 1, OrderMode.ASYNCHRONOUS);
        }
    }

    private static void buyOne(TradeServices trade) throws SQLException {
        trade.buy("uid:0", "s:1", 3, OrderMode.SYNCHRONOUS);
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

    private static void tellOne(TradeServices trade) throws SQLException {
        for (Order order : trade.getOrders("uid:0")) {
            if (order.status() == Order.Status.CLOSED) {
                trade.orderCompleted("uid:0", order.orderID());
                return;
            }
        }
    }

    /** Gives a user another name and password, both or neither. */
    private static void changeProfile(TradeServices trade) throws SQLException {
        AccountProfile before = trade.getAccountProfileData("uid:1");
        String hash = trade.getCredentials("uid:1").orElseThrow().passwordHash();
        String name = "Ann " + REGISTERED.incrementAndGet();
        AccountProfile next =
                new AccountProfile(
                        "uid:1", name, before.address(), before.email(), before.creditCard());
        try {
            trade.updateAccountProfile(next, name);
        } finally {
            String now = trade.getAccountProfileData("uid:1").fullName();
            boolean isChanged =
                    !trade.getCredentials("uid:1").orElseThrow().passwordHash().equals(hash);
            assertThat(now).isEqualTo(isChanged ? name : before.fullName());
        }
    }

    /** Makes a user whom a reset deletes, and returns its ID. */
    private static String register(TradeServices trade) throws SQLException {
        String userID = TradeServices.REGISTERED + REGISTERED.incrementAndGet();
        AccountProfile profile = new AccountProfile(userID, "", "", "", "");
        trade.register(new Registration(profile, "p", new BigDecimal("10000")));
        return userID;
    }

    private static void registerAndTrade(TradeServices trade) throws SQLException {
        String userID = register(trade);
        trade.buy(userID, "s:3", 1, OrderMode.SYNCHRONOUS);
        trade.buy(userID, "s:3", 1, OrderMode.ASYNCHRONOUS);
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
