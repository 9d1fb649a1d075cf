package dev.penstock.daytrader.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.daytrader.session.Passwords;
import dev.penstock.daytrader.trade.AccountProfile;
import dev.penstock.daytrader.trade.Holding;
import dev.penstock.daytrader.trade.OrderMode;
import dev.penstock.daytrader.trade.Registration;
import dev.penstock.daytrader.trade.TradeException;
import dev.penstock.daytrader.trade.TradeServices;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Resets of the trade data while those who are deleted register and trade. */
class ResetIT {
    private static final int ROUNDS = 3;
    private static final int TRADERS = 6;
    private static final int USERS_OF_TRADER = 6;
    private static final int MOST_TRADES = 12;

    @ParameterizedTest
    @EnumSource
    void reset_whileUsersRegisterAndTrade_booksBalance(TradeDatabase.Kind kind) throws Exception {
        try (TradeDatabase database = TradeDatabase.create(kind)) {
            TradeStore store = new TradeStore(database.source(), new Passwords(1), false);
            store.populate(new Population(10, 12, 3), (_, _) -> {});
            AtomicInteger bought = new AtomicInteger();
            for (int round = 0; round < ROUNDS; round++) {
                trade(store, round, bought);
                assertThat(store.checkBooks().broken()).as("round %d", round).isEmpty();
            }
            try (TradeServices trade = store.services()) {
                trade.resetTrade();
                assertThat(trade.resetTrade().users()).isEqualTo(12);
            }
            assertThat(store.checkBooks().broken()).isEmpty();
            assertThat(bought.get()).isPositive();
        }
    }

    private static void trade(TradeStore store, int round, AtomicInteger bought) throws Exception {
        AtomicInteger trading = new AtomicInteger(TRADERS);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < TRADERS; i++) {
                String name = "ru:" + round + "-" + i + "-";
                SplittableRandom random = new SplittableRandom(round * TRADERS + i);
                running.add(
                        threads.submit(() -> {
                            try (TradeServices trade = store.holdingServices()) {
                                for (int user = 0; user < USERS_OF_TRADER; user++) {
                                    live(trade, name + user, random, bought);
                                }
                            } finally {
                                trading.decrementAndGet();
                            }
                            return null;
                        }));
            }
            running.add(
                    threads.submit(() -> {
                        try (TradeServices trade = store.services()) {
                            while (trading.get() > 0) {
                                trade.resetTrade();
                            }
                        }
                        return null;
                    }));
            for (Future<?> each : running) {
                each.get();
            }
        }
    }

    /** Registers a user, who trades until a reset, or often enough. */
    private static void live(
            TradeServices trade, String userID, SplittableRandom random, AtomicInteger bought)
            throws SQLException {
        AccountProfile profile = new AccountProfile(userID, "", "", "", "");
        try {
            trade.register(new Registration(profile, "p", new BigDecimal("100000")));
            trade.login(userID, "p");
            for (int i = 0; i < MOST_TRADES; i++) {
                OrderMode mode =
                        random.nextBoolean() ? OrderMode.SYNCHRONOUS : OrderMode.ASYNCHRONOUS;
                trade.buy(userID, "s:" + random.nextInt(10), 1, mode);
                bought.incrementAndGet();
                List<Holding> holdings = trade.getHoldings(userID);
                if (random.nextInt(3) == 0 && !holdings.isEmpty()) {
                    trade.sell(userID, holdings.getFirst().holdingID(), mode);
                }
                List<Integer> open = trade.getLeftOpen(0);
                if (!open.isEmpty()) {
                    int order = open.get(random.nextInt(open.size()));
                    if (random.nextBoolean()) {
                        trade.completeOrder(order);
                    } else {
                        trade.cancelOrder(order);
                    }
                }
            }
        } catch (TradeException e) {
            // A reset was first, or another trader.
            assertThat(e.kind()).isNotEqualTo(TradeException.Kind.INVALID);
        }
    }
}
