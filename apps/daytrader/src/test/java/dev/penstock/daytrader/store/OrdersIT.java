package dev.penstock.daytrader.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.daytrader.run.PoolSettings;
import dev.penstock.daytrader.run.PooledCalls;
import dev.penstock.daytrader.run.TradeCalls;
import dev.penstock.daytrader.run.TradeCalls.Part;
import dev.penstock.daytrader.session.Passwords;
import dev.penstock.daytrader.trade.Order;
import dev.penstock.daytrader.trade.OrderMode;
import dev.penstock.daytrader.trade.TradeServices;
import dev.penstock.service.CallTimeoutException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many orders on a service pool whose instances and connections fail at random; a million with {@code --soak}. */
class OrdersIT {
    private static final boolean IS_SOAK = Boolean.getBoolean("penstock.soak");
    private static final int ORDERS = IS_SOAK ? 1_000_000 : 5_000;
    private static final int THREADS = 16;
    private static final int INSTANCES = 6;
    private static final int USERS = 1_600;
    private static final int STOCKS = 50;

    /** One of so many orders meets a failure of a connection, and as many one of an instance. */
    private static final int FAILURES = 200;

    /** So many calls may find no instance within their time, on a machine that is busy with something else. */
    private static final int MOST_REFUSED = 100;

    /** A failure of an instance, which is then made anew. */
    private static final class InstanceFailure extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    private final AtomicInteger submitted = new AtomicInteger();
    private final AtomicInteger failedConnections = new AtomicInteger();
    private final AtomicInteger failedInstances = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();

    private static TradeDatabase database(Path directory) {
        return IS_SOAK
                ? TradeDatabase.createInFile(directory)
                : TradeDatabase.create(TradeDatabase.Kind.H2);
    }

    @Test
    void orders_instancesAndConnectionsFail_booksBalance(@TempDir Path directory) throws Exception {
        try (TradeDatabase database = database(directory)) {
            FaultySource faulty = new FaultySource(database.source());
            TradeStore store = new TradeStore(faulty, new Passwords(1), false);
            store.populate(new Population(STOCKS, USERS, 6), (_, _) -> {});
            try (TradeCalls calls = new PooledCalls(store, PoolSettings.of(INSTANCES));
                    var threads = Executors.newVirtualThreadPerTaskExecutor()) {
                List<Future<?>> traders = new ArrayList<>();
                for (int trader = 0; trader < THREADS; trader++) {
                    SplittableRandom random = new SplittableRandom(trader);
                    traders.add(
                            threads.submit(() -> {
                                trade(calls, faulty, random);
                                return null;
                            }));
                }
                for (Future<?> trader : traders) {
                    trader.get();
                }
                faulty.heal();
                List<Integer> open = calls.call(Part.TRADES, trade -> trade.getLeftOpen(0));
                assertThat(open).isEmpty();
                assertThat(calls.isReady()).isTrue();
            }
            assertThat(store.checkBooks().broken()).isEmpty();
            assertThat(submitted.get()).isGreaterThanOrEqualTo(ORDERS);
            assertThat(failedConnections.get()).isPositive();
            assertThat(failedInstances.get()).isPositive();
            System.out.printf(
                    "%,d orders, %,d failures of connections and %,d of instances, %,d refused: the books balance%n",
                    submitted.get(), failedConnections.get(), failedInstances.get(), refused.get());
        }
    }

    /** Buys, and mostly sells again, so that there is money for more. */
    private void trade(TradeCalls calls, FaultySource faulty, SplittableRandom random)
            throws SQLException {
        while (submitted.get() < ORDERS) {
            String user = "uid:" + random.nextInt(USERS);
            String symbol = "s:" + random.nextInt(STOCKS);
            Order bought =
                    submit(
                            calls,
                            faulty,
                            random,
                            trade -> trade.buy(user, symbol, 1, OrderMode.SYNCHRONOUS));
            Integer holding = bought == null ? null : bought.holdingID();
            if (holding != null && random.nextInt(10) > 0) {
                var _ =
                        submit(
                                calls,
                                faulty,
                                random,
                                trade -> trade.sell(user, holding, OrderMode.SYNCHRONOUS));
            }
        }
    }

    private interface Submission {
        Order submit(TradeServices trade) throws SQLException;
    }

    /** Returns the order; null where something has failed before it was told, or the call has never run. */
    private @Nullable Order submit(
            TradeCalls calls, FaultySource faulty, SplittableRandom random, Submission submission)
            throws SQLException {
        if (random.nextInt(FAILURES) == 0) {
            faulty.failAt(1 + random.nextInt(30), random.nextBoolean());
        }
        int fate = random.nextInt(2 * FAILURES);
        try {
            Order order =
                    calls.call(
                            Part.TRADES,
                            trade -> {
                                if (fate == 0) {
                                    throw new InstanceFailure();
                                }
                                Order submittedOrder = submission.submit(trade);
                                if (fate == 1) {
                                    throw new InstanceFailure();
                                }
                                return submittedOrder;
                            });
            submitted.incrementAndGet();
            return order;
        } catch (InstanceFailure _) {
            failedInstances.incrementAndGet();
        } catch (CallTimeoutException e) {
            if (!e.ran().isZero() || refused.incrementAndGet() > MOST_REFUSED) {
                throw e;
            }
        } catch (SQLException e) {
            if (!String.valueOf(e.getMessage()).startsWith("injected")) {
                throw e;
            }
            failedConnections.incrementAndGet();
        }
        return null;
    }
}
