package dev.penstock.daytrader.page;

import dev.penstock.daytrader.run.DayTraderSettings;
import dev.penstock.daytrader.run.TradeCalls;
import dev.penstock.daytrader.run.TradeCalls.Part;
import dev.penstock.daytrader.store.TradeStore;
import dev.penstock.daytrader.templates.JteconfigGenerated;
import dev.penstock.daytrader.trade.OrderMode;
import dev.penstock.daytrader.trade.ResetSummary;
import dev.penstock.daytrader.trade.TradeServices;
import java.io.IOException;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The resource {@code /config}: what is set, and actions on all data. It answers this machine alone, and others only
 * with a token, as {@code Authorization: Bearer} or as the parameter {@code token}. Thread-safe.
 */
final class ConfigPage {
    private final TradeStore store;
    private final TradeCalls calls;
    private final DayTraderSettings settings;
    private final Rebuild rebuild;
    private final AtomicReference<OrderMode> orderMode;

    ConfigPage(
            TradeStore store,
            TradeCalls calls,
            DayTraderSettings settings,
            Rebuild rebuild,
            AtomicReference<OrderMode> orderMode) {
        this.store = store;
        this.calls = calls;
        this.settings = settings;
        this.rebuild = rebuild;
        this.orderMode = orderMode;
    }

    void answer(Visit visit) throws SQLException, IOException {
        boolean hasToken = hasToken(visit);
        if (!hasToken && !RequestOrigin.isLocal(visit.exchange())) {
            Refusals.send(
                    visit,
                    403,
                    "The configuration answers this machine alone, and others with a token.");
            return;
        }
        String action = visit.input().raw("action");
        boolean changes = !action.isEmpty() && !action.equals("checkBooks");
        boolean isPost = visit.exchange().method().equals("POST");
        if (changes && !isPost && !settings.plainRequests() && !hasToken) {
            Refusals.send(visit, 403, "This can be done by the button of a form alone.");
            return;
        }
        String message = message(visit, action);
        if (rebuild.isRunning()) {
            visit.exchange().header("Refresh", "1; url=" + visit.base() + "/config");
        }
        Frame frame = Rendering.plainFrame(visit, "DayTrader: Configuration", message);
        Rendering.send(
                visit,
                200,
                out ->
                        JteconfigGenerated.render(
                                out,
                                null,
                                frame,
                                shown(),
                                rebuild.isRunning(),
                                rebuild.percent(),
                                orderMode.get().name()));
    }

    private String message(Visit visit, String action) throws SQLException {
        return switch (action) {
            case "" -> rebuild.progress();
            case "buildDB" ->
                    rebuild.start()
                            ? "The sample data are made anew."
                            : "That is being done already.";
            case "resetTrade" -> reset();
            case "checkBooks" -> {
                var report = store.checkBooks();
                yield report.isBalanced()
                        ? "The books balance."
                        : String.join(" ", report.broken());
            }
            case "updateConfig" -> {
                orderMode.set(
                        visit.input().raw("orderMode").equals("ASYNCHRONOUS")
                                ? OrderMode.ASYNCHRONOUS
                                : OrderMode.SYNCHRONOUS);
                yield "The settings are changed.";
            }
            default -> "There is no action " + Input.shown(action) + ".";
        };
    }

    private String reset() throws SQLException {
        ResetSummary reset = calls.call(Part.TRADES, TradeServices::resetTrade);
        return ("%,d registered users, %,d holdings and %,d orders deleted;"
                        + " %,d users, %,d holdings and %,d orders are left.")
                .formatted(
                        reset.deletedUsers(),
                        reset.deletedHoldings(),
                        reset.deletedOrders(),
                        reset.users(),
                        reset.holdings(),
                        reset.orders());
    }

    private Map<String, String> shown() {
        Map<String, String> shown = new LinkedHashMap<>();
        var pools = settings.pools();
        shown.put(
                "Services",
                pools == null
                        ? "a new object a request"
                        : "%d instances%s%s%s"
                                .formatted(
                                        pools.instances(),
                                        pools.split() ? " in three pools" : " in one pool",
                                        pools.holdsConnections() ? ", each with a connection" : "",
                                        pools.itemsAtOnce() ? ", stocks asked for at once" : ""));
        shown.put("Orders are completed", orderMode.get().name().toLowerCase(Locale.ROOT));
        shown.put("Balances may be negative", settings.likeTheOriginal() ? "yes" : "no");
        shown.put("Plain requests are taken", settings.plainRequests() ? "yes" : "no");
        shown.put(
                "Passwords",
                "PBKDF2 with HMAC-SHA-256, %,d iterations"
                        .formatted(settings.passwordIterations()));
        shown.put(
                "Sample data",
                "%,d stocks and %,d users, seed %d"
                        .formatted(
                                settings.population().quotes(),
                                settings.population().users(),
                                settings.population().seed()));
        return shown;
    }

    private boolean hasToken(Visit visit) {
        String bearer =
                visit.exchange()
                        .header("Authorization")
                        .filter(value -> value.regionMatches(true, 0, "Bearer ", 0, 7))
                        .map(value -> value.substring(7).strip())
                        .orElse(visit.input().raw("token"));
        return !bearer.isEmpty() && settings.configToken().test(bearer);
    }
}
