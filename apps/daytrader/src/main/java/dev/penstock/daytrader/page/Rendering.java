package dev.penstock.daytrader.page;

import dev.penstock.daytrader.run.TradeCalls;
import dev.penstock.daytrader.run.TradeCalls.Part;
import dev.penstock.daytrader.session.Session;
import dev.penstock.daytrader.trade.Order;
import dev.penstock.daytrader.trade.TradeException;
import dev.penstock.http.Exchange;
import dev.penstock.service.ServiceException;
import gg.jte.html.HtmlTemplateOutput;
import gg.jte.html.OwaspHtmlTemplateOutput;
import gg.jte.output.Utf8ByteOutput;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Consumer;

/** The making of a page: its frame, with the alerts of the user, and the sending of it. Thread-safe. */
final class Rendering {
    private static final System.Logger LOG = System.getLogger("dev.penstock.daytrader");

    private final TradeCalls calls;

    Rendering(TradeCalls calls) {
        this.calls = calls;
    }

    /** The frame of a page; the alerts in it are told once, so the page has to be sent. */
    Frame frame(Visit visit, String title, String message) {
        Session session = visit.session();
        if (session == null) {
            return plainFrame(visit, title, message);
        }
        return new Frame(
                visit.base(),
                title,
                session.userID(),
                session.formToken(),
                message,
                alerts(session.userID()));
    }

    /**
     * Returns the orders that were completed since the user was last told; none if they can't be read now, and then
     * the next page tells them, and none of a user who is deleted. An order that was submitted must not look as if it
     * had failed, or its user would send it again.
     */
    private List<Order> alerts(String userID) {
        try {
            return calls.call(Part.TRADES, services -> services.getClosedOrders(userID));
        } catch (TradeException | ServiceException | SQLException e) {
            LOG.log(System.Logger.Level.DEBUG, "A page has no alerts", e);
            return List.of();
        }
    }

    /** A frame without alerts, which asks no database. */
    static Frame plainFrame(Visit visit, String title, String message) {
        Session session = visit.session();
        return session == null
                ? new Frame(visit.base(), title, null, "", message, List.of())
                : new Frame(
                        visit.base(),
                        title,
                        session.userID(),
                        session.formToken(),
                        message,
                        List.of());
    }

    /** Sends a page that a template writes. */
    static void send(Visit visit, int status, Consumer<HtmlTemplateOutput> template) {
        Utf8ByteOutput bytes = new Utf8ByteOutput();
        template.accept(new OwaspHtmlTemplateOutput(bytes));
        Exchange exchange = visit.exchange();
        exchange.header(
                        "Content-Security-Policy",
                        "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self';"
                                + " img-src 'self' data:; form-action 'self'; base-uri 'none';"
                                + " frame-ancestors 'none'")
                .header("Cache-Control", "no-store")
                .header("X-Content-Type-Options", "nosniff")
                .header("Referrer-Policy", "same-origin")
                .respond(status, "text/html; charset=utf-8", bytes.toByteArray());
    }
}
