package dev.penstock.daytrader.page;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.penstock.daytrader.run.DayTraderSettings;
import dev.penstock.daytrader.run.TradeCalls;
import dev.penstock.daytrader.run.TradeCalls.Part;
import dev.penstock.daytrader.session.Sessions;
import dev.penstock.daytrader.store.TradeStore;
import dev.penstock.daytrader.templates.JteconfigGenerated;
import dev.penstock.daytrader.trade.OrderMode;
import dev.penstock.daytrader.trade.ResetSummary;
import dev.penstock.daytrader.trade.TradeException;
import dev.penstock.daytrader.trade.TradeException.Kind;
import dev.penstock.daytrader.trade.TradeServices;
import java.io.IOException;
import java.net.URLEncoder;
import java.sql.SQLException;
import java.util.Arrays;
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
    private final Sessions sessions;
    private final Rendering rendering;
    private final Refusals refusals;
    private final AtomicReference<OrderMode> orderMode;

    ConfigPage(
            TradeStore store,
            TradeCalls calls,
            DayTraderSettings settings,
            Rebuild rebuild,
            Sessions sessions,
            Rendering rendering,
            AtomicReference<OrderMode> orderMode) {
        this.store = store;
        this.calls = calls;
        this.settings = settings;
        this.rebuild = rebuild;
        this.sessions = sessions;
        this.rendering = rendering;
        this.refusals = new Refusals(rendering);
        this.orderMode = orderMode;
    }

    void answer(Visit visit) throws SQLException, IOException {
        boolean hasToken = hasToken(visit);
        if (!hasToken && !RequestOrigin.isLocal(visit.exchange())) {
            refusals.send(
                    visit,
                    403,
                    "The configuration answers this machine alone, and others with a token.");
            return;
        }
        String action = visit.input().raw("action");
        boolean changes = !action.isEmpty() && !action.equals("checkBooks");
        boolean isPost = visit.exchange().method().equals("POST");
        if (changes && !isPost && !settings.plainRequests() && !hasToken) {
            refusals.send(visit, 403, "This can be done by the button of a form alone.");
            return;
        }
        String done = done(visit, action);
        String token = hasToken ? visit.input().raw("token") : "";
        Rebuild.Progress progress = rebuild.progress();
        String message = action.isEmpty() ? progress.text() : done;
        if (progress.isRunning()) {
            String query = token.isEmpty() ? "" : "?token=" + URLEncoder.encode(token, UTF_8);
            visit.exchange().header("Refresh", "1; url=" + visit.base() + "/config" + query);
        }
        Frame frame = frame(visit, message, progress);
        OrderMode mode = orderMode.get();
        Rendering.send(
                visit,
                200,
                out ->
                        JteconfigGenerated.render(
                                out,
                                null,
                                frame,
                                shown(mode),
                                progress.isRunning(),
                                progress.percent(),
                                mode.name(),
                                token));
    }

    private Frame frame(Visit visit, String message, Rebuild.Progress progress) {
        String title = "DayTrader: Configuration";
        return progress.isRunning()
                ? Rendering.plainFrame(visit, title, message)
                : rendering.frame(visit, title, message);
    }

    /** Does what is asked for, and says what that was; empty for nothing. */
    private String done(Visit visit, String action) throws SQLException {
        return switch (action) {
            case "" -> "";
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
                orderMode.set(chosenMode(visit.input().required("orderMode")));
                yield "The settings are changed.";
            }
            default ->
                    throw new TradeException(
                            Kind.NOT_FOUND,
                            "There is no action %s.".formatted(Input.shown(action)));
        };
    }

    private static OrderMode chosenMode(String text) {
        return Arrays.stream(OrderMode.values())
                .filter(mode -> mode.name().equals(text))
                .findFirst()
                .orElseThrow(() ->
                        new TradeException(
                                Kind.INVALID,
                                "'orderMode' is %s; it can be SYNCHRONOUS or ASYNCHRONOUS."
                                        .formatted(Input.shown(text))));
    }

    private String reset() throws SQLException {
        ResetSummary reset;
        try {
            reset = calls.call(Part.TRADES, TradeServices::resetTrade);
        } finally {
            sessions.endIf(session -> session.userID().startsWith(TradeServices.REGISTERED));
        }
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

    private Map<String, String> shown(OrderMode mode) {
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
        shown.put("Orders are completed", mode.name().toLowerCase(Locale.ROOT));
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
