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
import dev.penstock.daytrader.trade.Registration;
import dev.penstock.daytrader.trade.TradeException;
import dev.penstock.daytrader.trade.TradeException.Kind;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The pages by which users come and go: login, logout, registration and profile. Thread-safe. */
final class UserPages {
    private static final BigDecimal MOST_MONEY = new BigDecimal("100000000");
    private static final List<String> FIELDS =
            List.of("Full Name", "snail mail", "email", "user id", "money", "Credit Card Number");

    private final TradeCalls calls;
    private final Sessions sessions;
    private final LoginLimit limit;
    private final TradePages trades;

    UserPages(TradeCalls calls, Sessions sessions, LoginLimit limit, TradePages trades) {
        this.calls = calls;
        this.sessions = sessions;
        this.limit = limit;
        this.trades = trades;
    }

    void welcome(Visit visit) {
        welcome(visit, 200, "");
    }

    void welcome(Visit visit, int status, String message) {
        Frame frame = Rendering.plainFrame(visit, "DayTrader Login", message);
        String userID = visit.input().raw("uid");
        Rendering.send(
                visit,
                status,
                out ->
                        JtewelcomeGenerated.render(
                                out, null, frame, userID.isEmpty() ? "uid:0" : userID));
    }

    void login(Visit visit) throws SQLException {
        String userID = visit.input().text("uid");
        String password = password(visit.input(), "passwd");
        String address = visit.exchange().remoteAddress();
        if (isLimited(visit, address, userID)) {
            return;
        }
        try {
            var _ = calls.call(Part.USERS, services -> services.login(userID, password));
        } catch (TradeException e) {
            if (e.kind() != Kind.WRONG_PASSWORD) {
                throw e;
            }
            if (limit.wrong(address, userID)) {
                welcome(visit, 403, String.valueOf(e.getMessage()));
            } else {
                var _ = isLimited(visit, address, userID);
            }
            return;
        }
        // The right one among guesses that were sent at once is not told where others have used up
        // the limit.
        if (!isLimited(visit, address, userID)) {
            begin(visit, userID);
            trades.home(visit);
        }
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

    /** A new session with a new id; the one before ends. */
    private void begin(Visit visit, String userID) {
        Session before = visit.session();
        if (before != null) {
            sessions.end(before);
        }
        visit.loggedIn(sessions.begin(userID));
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

    private static void registerForm(Visit visit, int status, String message) {
        Map<String, String> values = new LinkedHashMap<>();
        for (String field : FIELDS) {
            values.put(field, visit.input().raw(field));
        }
        Frame frame = Rendering.plainFrame(visit, "DayTrader: Register", message);
        Rendering.send(visit, status, out -> JteregisterGenerated.render(out, null, frame, values));
    }

    void register(Visit visit) throws SQLException {
        Registration registration;
        try {
            registration = registration(visit.input());
            var _ = calls.call(Part.USERS, services -> services.register(registration));
        } catch (TradeException e) {
            registerForm(visit, Refusals.status(e.kind()), String.valueOf(e.getMessage()));
            return;
        }
        begin(visit, registration.profile().userID());
        trades.home(visit, "Your account is open. Good luck!");
    }

    private static Registration registration(Input input) {
        String userID = input.required("user id");
        if (!userID.equals(userID.strip())) {
            throw new TradeException(
                    Kind.INVALID, "The user ID begins or ends with a space; leave that out.");
        }
        String password = password(input, "passwd");
        if (password.isEmpty()) {
            throw new TradeException(Kind.INVALID, "The password is missing; choose one.");
        }
        if (!password.equals(input.raw("confirm passwd"))) {
            throw new TradeException(
                    Kind.INVALID, "The two passwords are not the same; type them again.");
        }
        AccountProfile profile =
                new AccountProfile(
                        userID,
                        input.text("Full Name"),
                        input.text("snail mail"),
                        input.text("email"),
                        input.text("Credit Card Number"));
        return new Registration(profile, password, money(input.raw("money").strip()));
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
        var _ =
                calls.call(
                        Part.USERS, services -> services.updateAccountProfile(profile, password));
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
