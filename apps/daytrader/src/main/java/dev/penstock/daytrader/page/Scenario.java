package dev.penstock.daytrader.page;

import dev.penstock.daytrader.run.TradeCalls;
import dev.penstock.daytrader.run.TradeCalls.Part;
import dev.penstock.daytrader.store.Population;
import dev.penstock.daytrader.trade.Holding;
import dev.penstock.daytrader.trade.TradeServices;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;

/**
 * The resource {@code /scenario}: each request does one random action of a user, by a fixed mix, so that a load script
 * needs nothing but this address and a cookie. Who is not logged in becomes a random sample user. Thread-safe.
 */
final class Scenario {
    /** The actions, and how many of a hundred requests each has. */
    private enum Action {
        HOME(20),
        QUOTES(40),
        LOGOUT(4),
        REGISTER(2),
        ACCOUNT(10),
        PORTFOLIO(12),
        BUY(4),
        SELL(4),
        UPDATE_PROFILE(4);

        private final int percent;

        Action(int percent) {
            this.percent = percent;
        }

        static Action of(int below100) {
            int left = below100;
            for (Action action : values()) {
                left -= action.percent;
                if (left < 0) {
                    return action;
                }
            }
            return HOME;
        }
    }

    private static final int MOST_SYMBOLS = 5;
    private static final int MOST_SHARES = 20;

    private final AppPages app;
    private final TradeCalls calls;
    private final Population population;

    Scenario(AppPages app, TradeCalls calls, Population population) {
        this.app = app;
        this.calls = calls;
        this.population = population;
    }

    void next(Visit visit) throws SQLException, IOException {
        RandomGenerator random = ThreadLocalRandom.current();
        app.act(visit.with(Input.of(parameters(visit, random))));
    }

    private Map<String, String> parameters(Visit visit, RandomGenerator random)
            throws SQLException {
        if (visit.session() == null) {
            return Map.of(
                    "action",
                    "login",
                    "uid",
                    "uid:" + random.nextInt(population.users()),
                    "passwd",
                    Population.PASSWORD,
                    "token",
                    visit.input().raw("token"));
        }
        return switch (Action.of(random.nextInt(100))) {
            case HOME -> Map.of("action", "home");
            case QUOTES -> Map.of("action", "quotes", "symbols", symbols(random));
            case LOGOUT -> Map.of("action", "logout");
            case REGISTER -> registration(random);
            case ACCOUNT -> Map.of("action", "account");
            case PORTFOLIO -> Map.of("action", "portfolio");
            case BUY -> purchase(random);
            case SELL -> sale(visit, random);
            case UPDATE_PROFILE ->
                    Map.of(
                            "action",
                            "update_profile",
                            "fullname",
                            "Rnd" + random.nextInt(1_000_000),
                            "address",
                            random.nextInt(1_000) + " Random Street",
                            "email",
                            "rnd@example.com",
                            "creditcard",
                            "");
        };
    }

    private String symbols(RandomGenerator random) {
        StringBuilder symbols = new StringBuilder(symbol(random));
        for (int more = random.nextInt(MOST_SYMBOLS); more > 0; more--) {
            symbols.append(',').append(symbol(random));
        }
        return symbols.toString();
    }

    private String symbol(RandomGenerator random) {
        return "s:" + random.nextInt(population.quotes());
    }

    private Map<String, String> purchase(RandomGenerator random) {
        return Map.of(
                "action",
                "buy",
                "symbol",
                symbol(random),
                "quantity",
                Integer.toString(1 + random.nextInt(MOST_SHARES)));
    }

    /** Buys for a user who has nothing to sell. */
    private Map<String, String> sale(Visit visit, RandomGenerator random) throws SQLException {
        List<Holding> holdings =
                calls.call(Part.TRADES, services -> services.getHoldings(visit.userID())).stream()
                        .filter(holding -> !holding.isBeingSold())
                        .toList();
        if (holdings.isEmpty()) {
            return purchase(random);
        }
        Holding sold = holdings.get(random.nextInt(holdings.size()));
        return Map.of("action", "sell", "holdingID", Integer.toString(sold.holdingID()));
    }

    private static Map<String, String> registration(RandomGenerator random) {
        String userID =
                TradeServices.REGISTERED
                        + Long.toString(random.nextLong(Long.MAX_VALUE), Character.MAX_RADIX);
        return Map.of(
                "action",
                "register",
                "user id",
                userID,
                "passwd",
                Population.PASSWORD,
                "confirm passwd",
                Population.PASSWORD,
                "Full Name",
                "Random " + userID,
                "snail mail",
                "1 Random Street",
                "email",
                "rnd@example.com",
                "money",
                Integer.toString(100_000 + random.nextInt(100_000)),
                "Credit Card Number",
                "");
    }
}
