package dev.penstock.daytrader.page;

import dev.penstock.daytrader.run.TradeCalls;
import dev.penstock.daytrader.run.TradeCalls.Part;
import dev.penstock.daytrader.templates.JteaccountGenerated;
import dev.penstock.daytrader.templates.JtehomeGenerated;
import dev.penstock.daytrader.templates.JteorderGenerated;
import dev.penstock.daytrader.templates.JteportfolioGenerated;
import dev.penstock.daytrader.templates.JtequotesGenerated;
import dev.penstock.daytrader.templates.JtesummaryGenerated;
import dev.penstock.daytrader.trade.Account;
import dev.penstock.daytrader.trade.AccountProfile;
import dev.penstock.daytrader.trade.MarketSummary;
import dev.penstock.daytrader.trade.Order;
import dev.penstock.daytrader.trade.OrderMode;
import dev.penstock.daytrader.trade.Quote;
import dev.penstock.daytrader.trade.TradeException;
import dev.penstock.daytrader.trade.TradeException.Kind;
import dev.penstock.daytrader.trade.TradeServices;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/** The pages on which users look and trade. Thread-safe. */
final class TradePages {
    static final int MOST_SYMBOLS = 100;

    private static final String FIRST_SYMBOLS = "s:0,s:1,s:2,s:3,s:4";
    private static final int FEW_ORDERS = 5;

    private final TradeCalls calls;
    private final Rendering rendering;
    private final Supplier<OrderMode> orderMode;

    TradePages(TradeCalls calls, Rendering rendering, Supplier<OrderMode> orderMode) {
        this.calls = calls;
        this.rendering = rendering;
        this.orderMode = orderMode;
    }

    void home(Visit visit) throws SQLException {
        home(visit, "");
    }

    void home(Visit visit, String message) throws SQLException {
        Account account = account(visit);
        Positions positions = Positions.of(calls, visit.userID());
        MarketSummary market = market();
        Frame frame = rendering.frame(visit, "Welcome to DayTrader", message);
        Rendering.send(
                visit,
                200,
                out -> JtehomeGenerated.render(out, null, frame, account, positions, market));
    }

    void account(Visit visit, String message) throws SQLException {
        Account account = account(visit);
        AccountProfile profile =
                calls.call(Part.TRADES, services -> services.getAccountProfileData(visit.userID()));
        List<Order> orders =
                calls.call(Part.TRADES, services -> services.getOrders(visit.userID()));
        boolean showsAll = visit.input().has("showAllOrders");
        List<Order> shown =
                showsAll ? orders : orders.subList(0, Math.min(FEW_ORDERS, orders.size()));
        Frame frame = rendering.frame(visit, "DayTrader: Account", message);
        Rendering.send(
                visit,
                200,
                out ->
                        JteaccountGenerated.render(
                                out, null, frame, account, profile, shown, orders.size()));
    }

    void portfolio(Visit visit) throws SQLException {
        Positions positions = Positions.of(calls, visit.userID());
        Frame frame = rendering.frame(visit, "DayTrader: Portfolio", "");
        Rendering.send(
                visit, 200, out -> JteportfolioGenerated.render(out, null, frame, positions));
    }

    void quotes(Visit visit) throws SQLException {
        String asked = visit.input().raw("symbols");
        if (asked.isBlank()) {
            asked = visit.input().raw("symbol");
        }
        List<String> symbols = symbols(asked.isBlank() ? FIRST_SYMBOLS : asked);
        List<Quote> quotes = calls.quotes(symbols);
        List<String> unknown = new ArrayList<>(symbols);
        quotes.forEach(quote -> unknown.remove(quote.symbol()));
        Frame frame = rendering.frame(visit, "DayTrader: Quotes and Trading", "");
        Rendering.send(
                visit,
                200,
                out ->
                        JtequotesGenerated.render(
                                out, null, frame, quotes, unknown, String.join(",", symbols)));
    }

    /**
     * The symbols of a text with commas or spaces, each once.
     *
     * @throws TradeException if there are too many
     */
    static List<String> symbols(String text) {
        Set<String> symbols = new LinkedHashSet<>();
        for (String each : text.split("[,;\\s]+", -1)) {
            boolean isSymbol =
                    !each.isEmpty()
                            && each.length() <= Input.MOST_CHARACTERS
                            && each.chars().allMatch(c -> c > 0x20 && c < 0x7f);
            if (isSymbol) {
                symbols.add(each);
            } else if (!each.isEmpty()) {
                throw new TradeException(
                        Kind.INVALID,
                        "%s is no symbol of a stock; write them like s:1,s:2."
                                .formatted(Input.shown(each)));
            }
        }
        if (symbols.size() > MOST_SYMBOLS) {
            throw new TradeException(
                    Kind.INVALID,
                    "%,d stocks are too many at once; ask for %d at most."
                            .formatted(symbols.size(), MOST_SYMBOLS));
        }
        return List.copyOf(symbols);
    }

    void buy(Visit visit) throws SQLException {
        String symbol = visit.input().required("symbol").strip();
        double quantity = visit.input().quantity("quantity");
        submitted(
                visit,
                calls.call(
                        Part.TRADES,
                        services ->
                                services.buy(visit.userID(), symbol, quantity, orderMode.get())));
    }

    void sell(Visit visit) throws SQLException {
        int holdingID = visit.input().number("holdingID");
        submitted(
                visit,
                calls.call(
                        Part.TRADES,
                        services -> services.sell(visit.userID(), holdingID, orderMode.get())));
    }

    private void submitted(Visit visit, Order order) {
        Frame frame = rendering.frame(visit, "DayTrader: New order", "");
        Rendering.send(visit, 200, out -> JteorderGenerated.render(out, null, frame, order));
    }

    void summary(Visit visit) throws SQLException {
        MarketSummary market = market();
        Frame frame = rendering.frame(visit, "DayTrader: Market summary", "");
        Rendering.send(visit, 200, out -> JtesummaryGenerated.render(out, null, frame, market));
    }

    private MarketSummary market() throws SQLException {
        return calls.call(Part.QUOTES, TradeServices::getMarketSummary);
    }

    private Account account(Visit visit) throws SQLException {
        return calls.call(Part.TRADES, services -> services.getAccountData(visit.userID()));
    }
}
