package dev.penstock.daytrader.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.daytrader.DayTrader;
import dev.penstock.daytrader.run.TradeCalls.Part;
import dev.penstock.daytrader.store.Population;
import dev.penstock.daytrader.store.TradeDatabase;
import dev.penstock.daytrader.trade.Holding;
import dev.penstock.daytrader.trade.OrderMode;
import dev.penstock.daytrader.trade.Quote;
import dev.penstock.daytrader.trade.TradeException;
import dev.penstock.daytrader.trade.TradeServices;
import dev.penstock.service.CallTimeoutException;
import dev.penstock.service.ServiceCall;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The same services, run directly and on pools: the same answers, and the books balance. */
class TradeCallsIT {
    private static final int USERS = 12;
    private static final int ROUNDS = 15;

    static Stream<Arguments> ways() {
        List<@Nullable PoolSettings> ways = new ArrayList<>();
        ways.add(null);
        ways.add(PoolSettings.of(4));
        ways.add(new PoolSettings(4, false, false, false));
        ways.add(new PoolSettings(9, true, true, true));
        ways.add(new PoolSettings(1, true, false, true));
        return Stream.of(TradeDatabase.Kind.H2, TradeDatabase.Kind.POSTGRESQL)
                .flatMap(kind -> ways.stream().map(way -> Arguments.of(kind, way)));
    }

    @ParameterizedTest
    @MethodSource("ways")
    void calls_ofManyUsers_booksBalance(TradeDatabase.Kind kind, @Nullable PoolSettings pools)
            throws Exception {
        DayTraderSettings settings =
                DayTraderSettings.DEFAULT
                        .withPopulation(new Population(30, USERS, 4))
                        .withPasswordIterations(1);
        if (pools != null) {
            settings = settings.withPools(pools);
        }
        try (TradeDatabase database = TradeDatabase.create(kind)) {
            try (DayTrader trader = DayTrader.open(database.source(), settings)) {
                trader.populate((_, _) -> {});
                TradeCalls calls = new Patient(trader.calls());
                assertThat(calls.quotes(List.of("s:3", "none", "s:1")))
                        .extracting(Quote::symbol)
                        .containsExactly("s:3", "s:1");
                assertThatThrownBy(() ->
                                calls.call(Part.QUOTES, services -> services.getQuote("none")))
                        .isInstanceOf(TradeException.class);
                try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
                    List<Future<?>> users = new ArrayList<>();
                    for (int user = 0; user < USERS; user++) {
                        String userID = "uid:" + user;
                        SplittableRandom random = new SplittableRandom(user);
                        users.add(
                                threads.submit(() -> {
                                    trade(calls, userID, random);
                                    return null;
                                }));
                    }
                    for (Future<?> user : users) {
                        user.get();
                    }
                }
                completeAll(calls);
                assertThat(trader.store().checkBooks().broken()).isEmpty();
                assertThat(calls.isReady()).isTrue();
            }
        }
    }

    /** Calls that are made again where they have found no instance in time, and so have not begun. */
    private static final class Patient extends ForwardedCalls {
        private static final int TIMES = 60;

        Patient(TradeCalls calls) {
            super(calls);
        }

        @Override
        public <T extends @Nullable Object> T call(
                Part part, ServiceCall<TradeServices, T, SQLException> call) throws SQLException {
            return repeated(() -> super.call(part, call));
        }

        @Override
        public List<Quote> quotes(List<String> symbols) throws SQLException {
            return repeated(() -> calls.quotes(symbols));
        }

        private static <T extends @Nullable Object> T repeated(Attempt<T> attempt)
                throws SQLException {
            for (int times = 1; ; times++) {
                try {
                    return attempt.make();
                } catch (CallTimeoutException e) {
                    if (times == TIMES || !e.ran().isZero()) {
                        throw e;
                    }
                }
            }
        }
    }

    @FunctionalInterface
    private interface Attempt<T extends @Nullable Object> {
        T make() throws SQLException;
    }

    private static void trade(TradeCalls calls, String userID, SplittableRandom random)
            throws SQLException {
        calls.call(Part.USERS, services -> services.login(userID, Population.PASSWORD));
        for (int round = 0; round < ROUNDS; round++) {
            OrderMode mode = random.nextBoolean() ? OrderMode.SYNCHRONOUS : OrderMode.ASYNCHRONOUS;
            String symbol = "s:" + random.nextInt(30);
            try {
                calls.call(Part.TRADES, services -> services.buy(userID, symbol, 3, mode));
                List<Holding> holdings =
                        calls.call(Part.TRADES, services -> services.getHoldings(userID));
                calls.quotes(holdings.stream().map(Holding::symbol).distinct().toList());
                if (!holdings.isEmpty()) {
                    Holding sold = holdings.get(random.nextInt(holdings.size()));
                    calls.call(
                            Part.TRADES, services -> services.sell(userID, sold.holdingID(), mode));
                }
                calls.call(Part.TRADES, services -> services.getClosedOrders(userID));
            } catch (TradeException refusal) {
                // The holding is being sold already by an order that is not completed yet.
                assertThat(refusal.kind())
                        .isIn(TradeException.Kind.CONFLICT, TradeException.Kind.NOT_FOUND);
            }
        }
    }

    /** Orders that wait are completed by the pool; what was refused is left open, and completed here. */
    private static void completeAll(TradeCalls calls) throws SQLException {
        List<Integer> open = calls.call(Part.TRADES, services -> services.getLeftOpen(0));
        while (!open.isEmpty()) {
            for (int order : open) {
                try {
                    calls.call(Part.TRADES, services -> services.completeOrder(order));
                } catch (TradeException e) {
                    assertThat(e.kind()).isEqualTo(TradeException.Kind.CONFLICT);
                }
            }
            open = calls.call(Part.TRADES, services -> services.getLeftOpen(0));
        }
    }
}
