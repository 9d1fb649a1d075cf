package dev.penstock.daytrader.page;

import dev.penstock.daytrader.session.Session;
import dev.penstock.http.Cookie;
import dev.penstock.http.Exchange;
import org.jspecify.annotations.Nullable;

/** One request on its way through the pages: what it says, and who it is from. For one thread. */
final class Visit {
    static final String COOKIE = "daytrader";

    private final Exchange exchange;
    private final String base;
    private final Input input;
    private @Nullable Session session;

    Visit(Exchange exchange, String base, Input input, @Nullable Session session) {
        this.exchange = exchange;
        this.base = base;
        this.input = input;
        this.session = session;
    }

    Exchange exchange() {
        return exchange;
    }

    String base() {
        return base;
    }

    Input input() {
        return input;
    }

    @Nullable Session session() {
        return session;
    }

    /** The user who is logged in; asked only where somebody is. */
    String userID() {
        Session present = session;
        if (present == null) {
            throw new IllegalStateException("nobody is logged in");
        }
        return present.userID();
    }

    /** The same with other parameters. */
    Visit with(Input other) {
        return new Visit(exchange, base, other, session);
    }

    void loggedIn(Session begun) {
        session = begun;
        exchange.cookie(Cookie.of(COOKIE, begun.id()).sameSite(Cookie.SameSite.STRICT));
    }

    void loggedOut() {
        session = null;
        exchange.cookie(Cookie.expired(COOKIE).sameSite(Cookie.SameSite.STRICT));
    }
}
