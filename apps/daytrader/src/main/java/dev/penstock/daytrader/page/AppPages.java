package dev.penstock.daytrader.page;

import dev.penstock.daytrader.session.Session;
import dev.penstock.daytrader.session.Sessions;
import dev.penstock.http.Exchange;
import dev.penstock.http.Handler;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.sql.SQLException;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The resource {@code /app}: finds who asks, checks that an action is meant, and calls its page. Thread-safe.
 *
 * <p>An action that changes something must not come from another site's page. Unless plain requests are allowed, it
 * also has to be a POST with the token of the session's forms.
 */
final class AppPages {
    private static final Set<String> OF_ANYBODY =
            Set.of("login", "register", "mksummary", "logout");
    private static final Set<String> READING =
            Set.of("home", "account", "portfolio", "quotes", "mksummary");

    private final Sessions sessions;
    private final UserPages users;
    private final Refusals refusals;
    private final boolean takesPlainRequests;
    private final Rebuild rebuild;
    private final Map<String, Page> actions;

    AppPages(
            Sessions sessions,
            UserPages users,
            TradePages trades,
            Refusals refusals,
            boolean takesPlainRequests,
            Rebuild rebuild) {
        this.sessions = sessions;
        this.users = users;
        this.refusals = refusals;
        this.takesPlainRequests = takesPlainRequests;
        this.rebuild = rebuild;
        this.actions =
                Map.ofEntries(
                        Map.entry("login", users::login),
                        Map.entry("logout", users::logout),
                        Map.entry("register", users::register),
                        Map.entry("update_profile", users::updateProfile),
                        Map.entry("home", trades::home),
                        Map.entry("account", visit -> trades.account(visit, "")),
                        Map.entry("portfolio", trades::portfolio),
                        Map.entry("quotes", trades::quotes),
                        Map.entry("buy", trades::buy),
                        Map.entry("sell", trades::sell),
                        Map.entry("mksummary", trades::summary));
    }

    /** A handler of a page that is mounted below a base. */
    Handler handler(String base, Page page) {
        return exchange -> {
            Visit visit = visit(exchange, base);
            Rebuild.Progress progress = rebuild.progress();
            if (progress.isRunning()) {
                exchange.header("Retry-After", "5");
                refusals.send(
                        visit,
                        503,
                        "The sample data are made anew: %s. Try again in a few seconds."
                                .formatted(progress.text()));
                return;
            }
            refusals.answer(visit, page);
        };
    }

    Visit visit(Exchange exchange, String base) throws IOException {
        Session session = exchange.cookie(Visit.COOKIE).flatMap(sessions::find).orElse(null);
        return new Visit(exchange, base, Input.of(exchange), session);
    }

    /** Does what the parameter {@code action} says. */
    void act(Visit visit) throws SQLException, IOException {
        String action = visit.input().raw("action").strip();
        Page page = actions.get(action.isEmpty() ? "home" : action);
        if (page == null) {
            refusals.send(visit, 404, "There is no action %s.".formatted(Input.shown(action)));
            return;
        }
        if (visit.session() == null && !OF_ANYBODY.contains(action)) {
            users.welcome(visit, 200, action.isEmpty() ? "" : "User Not Logged in");
            return;
        }
        String refusal = READING.contains(action) || action.isEmpty() ? null : refusal(visit);
        if (refusal != null) {
            refusals.send(visit, 403, refusal);
            return;
        }
        page.show(visit);
    }

    /** The reason why a request must not change anything; null if it may. */
    private @Nullable String refusal(Visit visit) {
        Exchange exchange = visit.exchange();
        if (RequestOrigin.isForeign(exchange)) {
            return "This came from a page of another site, so it was not done.";
        }
        if (takesPlainRequests) {
            return null;
        }
        if (!exchange.method().equals("POST")) {
            return "This can be done by the button of a form alone.";
        }
        Session session = visit.session();
        boolean isMeant =
                session == null
                        || MessageDigest.isEqual(
                                session.formToken().getBytes(StandardCharsets.US_ASCII),
                                visit.input().raw("token").getBytes(StandardCharsets.UTF_8));
        return isMeant
                ? null
                : "The form is not of this session. Go back, load the page again, and repeat it.";
    }
}
