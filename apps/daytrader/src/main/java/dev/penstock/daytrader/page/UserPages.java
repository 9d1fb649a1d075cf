package dev.penstock.daytrader.page;

import dev.penstock.daytrader.run.TradeCalls;
import dev.penstock.daytrader.run.TradeCalls.Part;
import dev.penstock.daytrader.session.LoginLimit;
import dev.penstock.daytrader.session.Passwords;
import dev.penstock.daytrader.session.Session;
import dev.penstock.daytrader.session.Sessions;
import dev.penstock.daytrader.templates.JteregisterGenerated;
import dev.penstock.daytrader.templates.JtewelcomeGenerated;
import dev.penstock.daytrader.trade.AccountProfile;
import dev.penstock.daytrader.trade.Credentials;
import dev.penstock.daytrader.trade.TradeException;
import dev.penstock.daytrader.trade.TradeException.Kind;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The pages by which users come and go: login, logout, registration and profile. Passwords are hashed between calls of
 * the services, since that takes long, and others wait for their instances. Thread-safe.
 */
final class UserPages {
    private static final BigDecimal MOST_MONEY = new BigDecimal("100000000");
    private static final List<String> FIELDS =
            List.of("Full Name", "snail mail", "email", "user id", "money", "Credit Card Number");

    private final TradeCalls calls;
    private final Passwords passwords;
    private final Sessions sessions;
    private final LoginLimit limit;
    private final Rendering rendering;
    private final TradePages trades;

    UserPages(
            TradeCalls calls,
            Passwords passwords,
            Sessions sessions,
            LoginLimit limit,
            Rendering rendering,
            TradePages trades) {
        this.calls = calls;
        this.passwords = passwords;
        this.sessions = sessions;
        this.limit = limit;
        this.rendering = rendering;
        this.trades = trades;
    }

    void welcome(Visit visit) {
        welcome(visit, 200, "");
    }

    void welcome(Visit visit, int status, String message) {
        Frame frame = rendering.frame(visit, "DayTrader Login", message);
        String userID = visit.input().raw("uid");
        Rendering.send(
                visit,
                status,
                out ->
                        JtewelcomeGenerated.render(
                                out, null, frame, userID.isEmpty() ? "uid:0" : userID));
    }

    void login(Visit visit) throws SQLException {
        // Spaces at an end make no other user, and databases differ in whether they count.
        String userID = visit.input().text("uid").strip();
        String password = password(visit.input(), "passwd");
        String address = visit.exchange().remoteAddress();
        if (isLimited(visit, address, userID)) {
            return;
        }
        Credentials credentials = checked(userID, password);
        if (credentials == null) {
            if (limit.wrong(address, userID) || !isLimited(visit, address, userID)) {
                welcome(visit, 403, String.valueOf(TradeException.wrongPassword().getMessage()));
            }
            return;
        }
        // The right one among guesses that were sent at once is not told where others have used up
        // the limit.
        if (!isLimited(visit, address, userID)) {
            begin(visit, credentials);
            trades.home(visit);
        }
    }

    /** Returns whose password it is; null if it is wrong or there is no such user, after the same time. */
    private @Nullable Credentials checked(String userID, String password) throws SQLException {
        Credentials credentials =
                calls.call(Part.USERS, services -> services.getCredentials(userID)).orElse(null);
        if (credentials == null) {
            passwords.matchesNobody(password);
            return null;
        }
        return passwords.matches(password, credentials.passwordHash()) ? credentials : null;
    }

    /**
     * Begins the session before the login is counted: a change of the password either comes before and lets the count
     * fail, or ends this session too.
     */
    private void begin(Visit visit, Credentials credentials) throws SQLException {
        Session session = sessions.begin(credentials.userID());
        try {
            var _ = calls.call(Part.USERS, services -> services.countLogin(credentials));
        } catch (SQLException | RuntimeException e) {
            sessions.end(session);
            throw e;
        }
        begun(visit, session);
    }

    /** Returns whether a client has to wait after wrong passwords; then that is its answer. */
    private boolean isLimited(Visit visit, String address, String userID) {
        Duration wait = limit.waitFor(address, userID);
        if (wait.isZero()) {
            return false;
        }
        visit.exchange().header("Retry-After", Long.toString(wait.toSeconds() + 1));
        welcome(
                visit,
                429,
                "Too many wrong passwords. Try again in %d minutes."
                        .formatted(wait.toMinutes() + 1));
        return true;
    }

    /** A new session has a new id; the one before ends. */
    private void begun(Visit visit, Session session) {
        Session before = visit.session();
        if (before != null) {
            sessions.end(before);
        }
        visit.loggedIn(session);
    }

    void logout(Visit visit) throws SQLException {
        Session session = visit.session();
        if (session != null) {
            sessions.end(session);
            visit.loggedOut();
            calls.call(
                    Part.USERS,
                    services -> {
                        services.logout(session.userID());
                        return true;
                    });
        }
        welcome(visit, 200, "You are logged out.");
    }

    void registerForm(Visit visit) {
        registerForm(visit, 200, "");
    }

    private void registerForm(Visit visit, int status, String message) {
        Map<String, String> values = new LinkedHashMap<>();
        for (String field : FIELDS) {
            values.put(field, visit.input().raw(field));
        }
        Frame frame = rendering.frame(visit, "DayTrader: Register", message);
        Rendering.send(visit, status, out -> JteregisterGenerated.render(out, null, frame, values));
    }

    void register(Visit visit) throws SQLException {
        try {
            AccountProfile profile = newProfile(visit.input());
            String password = newPassword(visit.input());
            BigDecimal money = money(visit.input().raw("money").strip());
            register(visit, profile, passwords.hash(password), money);
        } catch (TradeException e) {
            Refusals.sayWhen(visit, e);
            registerForm(visit, Refusals.status(e.kind()), String.valueOf(e.getMessage()));
            return;
        }
        trades.home(visit, "Your account is open. Good luck!");
    }

    /** Begins the session first, so that a reset which deletes the user at once ends it too. */
    private void register(Visit visit, AccountProfile profile, String hash, BigDecimal money)
            throws SQLException {
        Session session = sessions.begin(profile.userID());
        try {
            var _ =
                    calls.call(
                            Part.USERS, services -> services.registerHashed(profile, hash, money));
        } catch (SQLException | RuntimeException e) {
            sessions.end(session);
            throw e;
        }
        begun(visit, session);
    }

    private static AccountProfile newProfile(Input input) {
        String userID = input.required("user id");
        if (!userID.equals(userID.strip())) {
            throw new TradeException(
                    Kind.INVALID, "The user ID begins or ends with a space; leave that out.");
        }
        return new AccountProfile(
                userID,
                input.text("Full Name"),
                input.text("snail mail"),
                input.text("email"),
                input.text("Credit Card Number"));
    }

    private static String newPassword(Input input) {
        String password = password(input, "passwd");
        if (password.isEmpty()) {
            throw new TradeException(Kind.INVALID, "The password is missing; choose one.");
        }
        if (!password.equals(input.raw("confirm passwd"))) {
            throw new TradeException(
                    Kind.INVALID, "The two passwords are not the same; type them again.");
        }
        return password;
    }

    private static BigDecimal money(String text) {
        if (text.matches("[0-9]{1,9}(\\.[0-9]{1,2})?")) {
            BigDecimal money = new BigDecimal(text);
            if (money.compareTo(MOST_MONEY) <= 0) {
                return money;
            }
        }
        throw new TradeException(
                Kind.INVALID,
                "'money' is %s; the opening balance can be 0 to %s, with two decimals at most."
                        .formatted(Input.shown(text), MOST_MONEY.toPlainString()));
    }

    void updateProfile(Visit visit) throws SQLException {
        Input input = visit.input();
        String userID = input.text("userID");
        if (!userID.isEmpty() && !userID.equals(visit.userID())) {
            throw new TradeException(
                    Kind.INVALID,
                    "You can change your own profile only, that of " + visit.userID());
        }
        String password = password(input, "password");
        if (!password.equals(input.raw("cpassword"))) {
            throw new TradeException(
                    Kind.INVALID, "The two passwords are not the same; type them again.");
        }
        AccountProfile profile =
                new AccountProfile(
                        visit.userID(),
                        input.text("fullname"),
                        input.text("address"),
                        input.text("email"),
                        input.text("creditcard"));
        String hash = password.isEmpty() ? "" : passwords.hash(password);
        try {
            var _ = calls.call(Part.USERS, services -> services.updateHashed(profile, hash));
        } finally {
            // Whoever knows the old password must not stay, also where it is not known whether the
            // new one was stored.
            Session kept = visit.session();
            if (!password.isEmpty() && kept != null) {
                sessions.endIf(
                        session -> session.userID().equals(kept.userID()) && !session.equals(kept));
            }
        }
        trades.account(visit, "Your profile is updated.");
    }

    private static String password(Input input, String name) {
        String password = input.raw(name);
        if (password.length() > Passwords.MOST_CHARACTERS) {
            throw new TradeException(
                    Kind.INVALID,
                    "The password has more than %d characters."
                            .formatted(Passwords.MOST_CHARACTERS));
        }
        return password;
    }
}
