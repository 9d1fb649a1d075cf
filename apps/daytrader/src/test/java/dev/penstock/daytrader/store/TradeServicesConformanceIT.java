package dev.penstock.daytrader.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.daytrader.session.Passwords;
import dev.penstock.daytrader.trade.Account;
import dev.penstock.daytrader.trade.AccountProfile;
import dev.penstock.daytrader.trade.Credentials;
import dev.penstock.daytrader.trade.Holding;
import dev.penstock.daytrader.trade.Order;
import dev.penstock.daytrader.trade.OrderMode;
import dev.penstock.daytrader.trade.Quote;
import dev.penstock.daytrader.trade.Registration;
import dev.penstock.daytrader.trade.TradeException;
import dev.penstock.daytrader.trade.TradeException.Kind;
import dev.penstock.daytrader.trade.TradeServices;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The business rules, the same on every database. */
@ParameterizedClass
@EnumSource(TradeDatabase.Kind.class)
class TradeServicesConformanceIT {
    private static final Population SMALL = new Population(30, 20, 7);

    private final TradeDatabase.Kind kind;

    private TradeDatabase database;
    private TradeStore store;
    private TradeServices trade;

    TradeServicesConformanceIT(TradeDatabase.Kind kind) {
        this.kind = kind;
    }

    @BeforeEach
    void populate() throws SQLException {
        database = TradeDatabase.create(kind);
        store = new TradeStore(database.source(), new Passwords(10), false);
        assertThat(store.isPopulated()).isFalse();
        store.populate(SMALL, (_, _) -> {});
        assertThat(store.isPopulated()).isTrue();
        trade = store.holdingServices();
    }

    @AfterEach
    void booksBalance() throws SQLException {
        try (TradeDatabase _ = database) {
            assertThat(store.checkBooks().broken()).isEmpty();
            trade.close();
        }
    }

    @Test
    void populate_sameSeed_sameData() throws SQLException {
        List<Quote> quotes = trade.getAllQuotes();
        Account account = trade.getAccountData("uid:3");
        List<Holding> holdings = trade.getHoldings("uid:3");
        store.populate(SMALL, (_, _) -> {});
        assertThat(trade.getAllQuotes()).isEqualTo(quotes).hasSize(30);
        assertThat(trade.getAccountData("uid:3").balance()).isEqualTo(account.balance());
        assertThat(trade.getHoldings("uid:3"))
                .extracting(Holding::symbol, Holding::quantity)
                .containsExactlyElementsOf(
                        holdings.stream()
                                .map(each ->
                                        org.assertj.core.groups.Tuple.tuple(
                                                each.symbol(), each.quantity()))
                                .toList());
        assertThat(trade.getAccountData("uid:0").balance()).isEqualByComparingTo("1000000");
    }

    @Test
    void buy_synchronous_takesMoneyGivesSharesAndMovesPrice() throws SQLException {
        Quote before = trade.getQuote("s:1");
        BigDecimal balance = trade.getAccountData("uid:0").balance();
        int held = trade.getHoldings("uid:0").size();
        Order order = trade.buy("uid:0", "s:1", 10, OrderMode.SYNCHRONOUS);
        assertThat(order.status()).isEqualTo(Order.Status.CLOSED);
        assertThat(order.price()).isEqualByComparingTo(before.price());
        assertThat(trade.getAccountData("uid:0").balance())
                .isEqualByComparingTo(
                        balance.subtract(before.price().multiply(BigDecimal.TEN))
                                .subtract(new BigDecimal("24.95")));
        assertThat(trade.getHoldings("uid:0")).hasSize(held + 1);
        Quote after = trade.getQuote("s:1");
        assertThat(after.volume()).isEqualTo(before.volume() + 10);
        assertThat(after.price())
                .isBetween(
                        before.price().multiply(new BigDecimal("0.89")),
                        before.price().multiply(new BigDecimal("1.11")));
    }

    @Test
    void closedOrders_askedTwice_areToldOnce() throws SQLException {
        Order order = trade.buy("uid:0", "s:1", 1, OrderMode.SYNCHRONOUS);
        assertThat(trade.getClosedOrders("uid:1")).isEmpty();
        assertThat(trade.getClosedOrders("uid:0"))
                .extracting(Order::orderID)
                .containsExactly(order.orderID());
        assertThat(trade.getClosedOrders("uid:0")).isEmpty();
        assertThat(trade.getOrders("uid:0").getFirst().status()).isEqualTo(Order.Status.COMPLETED);
        assertThat(trade.orderCompleted("uid:0", order.orderID())).isFalse();
    }

    @Test
    void sell_twice_secondIsRefused() throws SQLException {
        trade.buy("uid:0", "s:1", 5, OrderMode.SYNCHRONOUS);
        int holding = trade.getHoldings("uid:0").getFirst().holdingID();
        Order order = trade.sell("uid:0", holding, OrderMode.ASYNCHRONOUS);
        assertThat(trade.getHolding(holding).isBeingSold()).isTrue();
        refused(Kind.CONFLICT, () -> trade.sell("uid:0", holding, OrderMode.SYNCHRONOUS));
        trade.completeOrder(order.orderID());
        refused(Kind.NOT_FOUND, () -> trade.sell("uid:0", holding, OrderMode.SYNCHRONOUS));
        refused(Kind.CONFLICT, () -> trade.completeOrder(order.orderID()));
    }

    @Test
    void sell_otherPeoplesHolding_isRefused() throws SQLException {
        trade.buy("uid:0", "s:1", 5, OrderMode.SYNCHRONOUS);
        int holding = trade.getHoldings("uid:0").getFirst().holdingID();
        refused(Kind.NOT_FOUND, () -> trade.sell("uid:1", holding, OrderMode.SYNCHRONOUS));
        assertThat(trade.getHolding(holding).isBeingSold()).isFalse();
    }

    @Test
    void buy_whatCannotBe_isRefusedAndChangesNothing() throws SQLException {
        Account before = trade.getAccountData("uid:0");
        for (double quantity : new double[] {0, -1, 1.5, 1_000_001, 1e300, Double.NaN}) {
            refused(Kind.INVALID, () -> trade.buy("uid:0", "s:1", quantity, OrderMode.SYNCHRONOUS));
        }
        refused(Kind.CONFLICT, () -> trade.buy("uid:0", "s:1", 1_000_000, OrderMode.SYNCHRONOUS));
        refused(Kind.NOT_FOUND, () -> trade.buy("uid:0", "s:99", 1, OrderMode.SYNCHRONOUS));
        refused(Kind.NOT_FOUND, () -> trade.buy("nobody", "s:1", 1, OrderMode.SYNCHRONOUS));
        assertThat(trade.getAccountData("uid:0")).isEqualTo(before);
    }

    @Test
    void buy_likeTheOriginal_mayOverdraw() throws SQLException {
        TradeStore original = new TradeStore(database.source(), new Passwords(10), true);
        try (TradeServices services = original.services()) {
            services.buy("uid:2", "s:1", 1_000_000, OrderMode.SYNCHRONOUS);
            assertThat(services.getAccountData("uid:2").balance()).isNegative();
        }
        assertThat(original.checkBooks().isBalanced()).isTrue();
        assertThat(store.checkBooks().broken()).hasSize(1);
        store.populate(SMALL, (_, _) -> {});
    }

    @Test
    void cancel_openOrders_moneyAndSharesAreBack() throws SQLException {
        BigDecimal balance = trade.getAccountData("uid:0").balance();
        Order buy = trade.buy("uid:0", "s:1", 5, OrderMode.ASYNCHRONOUS);
        assertThat(trade.getLeftOpen(0)).containsExactly(buy.orderID());
        assertThat(trade.cancelOrder(buy.orderID()).status()).isEqualTo(Order.Status.CANCELLED);
        assertThat(trade.getAccountData("uid:0").balance()).isEqualByComparingTo(balance);
        refused(Kind.CONFLICT, () -> trade.completeOrder(buy.orderID()));
        trade.buy("uid:0", "s:1", 5, OrderMode.SYNCHRONOUS);
        int holding = trade.getHoldings("uid:0").getFirst().holdingID();
        Order sell = trade.sell("uid:0", holding, OrderMode.ASYNCHRONOUS);
        trade.cancelOrder(sell.orderID());
        assertThat(trade.getHolding(holding).isBeingSold()).isFalse();
    }

    @Test
    void users_registerLoginProfile_areKept() throws SQLException {
        AccountProfile profile =
                new AccountProfile("ru:é", "<b>Ann</b>", "Street 1", "a@example.com", "");
        Account made =
                trade.register(new Registration(profile, "secret", new BigDecimal("1000.50")));
        assertThat(made.balance()).isEqualByComparingTo("1000.50");
        refused(
                Kind.CONFLICT,
                () -> trade.register(new Registration(profile, "other", BigDecimal.ONE)));
        refused(Kind.WRONG_PASSWORD, () -> trade.login("ru:é", "other"));
        refused(Kind.WRONG_PASSWORD, () -> trade.login("RU:é", "secret"));
        assertThat(trade.login("ru:é", "secret").loginCount()).isEqualTo(1);
        AccountProfile changed = new AccountProfile("ru:é", "Ann B", "Road 2", "", "1");
        assertThat(trade.updateAccountProfile(changed, "new")).isEqualTo(changed);
        assertThat(trade.updateAccountProfile(changed, "")).isEqualTo(changed);
        trade.login("ru:é", "new");
        trade.logout("ru:é");
        assertThat(trade.getAccountData("ru:é").logoutCount()).isEqualTo(1);
        trade.buy("ru:é", "s:2", 1, OrderMode.SYNCHRONOUS);
        assertThat(trade.resetTrade().deletedUsers()).isEqualTo(1);
        refused(Kind.NOT_FOUND, () -> trade.getAccountProfileData("ru:é"));
        assertThat(trade.login("uid:0", "xxx").loginCount()).isEqualTo(1);
    }

    @Test
    void countLogin_passwordChangedMeanwhile_isRefused() throws SQLException {
        Credentials before = trade.getCredentials("uid:1").orElseThrow();
        assertThat(before.userID()).isEqualTo("uid:1");
        assertThat(before.toString()).doesNotContain(before.passwordHash());
        assertThat(trade.countLogin(before).loginCount()).isEqualTo(1);
        trade.updateAccountProfile(trade.getAccountProfileData("uid:1"), "new");
        refused(Kind.WRONG_PASSWORD, () -> trade.countLogin(before));
        assertThat(trade.getAccountData("uid:1").loginCount()).isEqualTo(1);
        assertThat(trade.getCredentials("nobody")).isEmpty();
    }

    @Test
    void market_afterTrades_hasGainersAndLosers() throws SQLException {
        trade.createQuote("new", "New Company", new BigDecimal("0.01"));
        assertThat(trade.updateQuotePriceVolume("new", BigDecimal.ONE, 3).price())
                .isEqualByComparingTo("6.00");
        trade.createQuote("high", "High Company", new BigDecimal("401.00"));
        assertThat(trade.updateQuotePriceVolume("high", BigDecimal.ONE, 3).price())
                .isEqualByComparingTo("200.50");
        var summary = trade.getMarketSummary();
        assertThat(summary.gainers()).hasSize(5);
        assertThat(summary.gainers().getFirst().symbol()).isEqualTo("new");
        assertThat(summary.losers().getFirst().symbol()).isEqualTo("high");
        assertThat(summary.volume()).isEqualTo(6);
        assertThat(trade.getMarketSummary()).isSameAs(summary);
        assertThat(trade.getQuotes(List.of("s:1", "none", "s:0")))
                .extracting(Quote::symbol)
                .containsExactly("s:1", "s:0");
    }

    @Test
    void move_priceWentAwayAndCameBackMeanwhile_highIsKept() throws SQLException {
        trade.createQuote("x", "X Company", new BigDecimal("10.00"));
        FaultySource interrupted = new FaultySource(database.source());
        TradeStore slow = new TradeStore(interrupted, new Passwords(10), false);
        try (TradeServices services = slow.services()) {
            // Between the query and the update.
            interrupted.before(
                    2,
                    () -> {
                        trade.updateQuotePriceVolume("x", new BigDecimal("1.1"), 1);
                        Quote back = trade.updateQuotePriceVolume("x", new BigDecimal("0.9091"), 1);
                        assertThat(back.price()).isEqualByComparingTo("10");
                    });
            Quote moved = services.updateQuotePriceVolume("x", new BigDecimal("0.95"), 1);
            assertThat(moved.price()).isEqualByComparingTo("9.5");
            assertThat(moved.high()).isEqualByComparingTo("11");
        }
        assertThat(trade.getQuote("x").high()).isEqualByComparingTo("11");
    }

    private interface Call {
        void run() throws SQLException;
    }

    private static void refused(Kind kind, Call call) {
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        TradeException.class,
                        refusal -> assertThat(refusal.kind()).isEqualTo(kind));
    }
}
