package dev.penstock.daytrader.page;

import dev.penstock.daytrader.templates.JteproblemGenerated;
import dev.penstock.daytrader.trade.TradeException;
import dev.penstock.service.CallRejectedException;
import dev.penstock.service.ServiceException;
import java.io.IOException;
import java.sql.SQLException;

/**
 * The pages of what is refused, with the status that fits. They tell alerts as other pages do, but where services or
 * database are in trouble: then nobody asks them for more. Thread-safe.
 */
final class Refusals {
    private static final System.Logger LOG = System.getLogger("dev.penstock.daytrader");

    private static final int UNAVAILABLE = 503;

    private final Rendering rendering;

    Refusals(Rendering rendering) {
        this.rendering = rendering;
    }

    static int status(TradeException.Kind kind) {
        return switch (kind) {
            case INVALID -> 400;
            case NOT_FOUND -> 404;
            case CONFLICT -> 409;
            case WRONG_PASSWORD -> 403;
            case BUSY -> UNAVAILABLE;
        };
    }

    /** Says when to try again what was refused for want of time. */
    static void sayWhen(Visit visit, TradeException refusal) {
        if (refusal.kind() == TradeException.Kind.BUSY) {
            visit.exchange().header("Retry-After", "1");
        }
    }

    /** Answers a visit, or says why not. */
    void answer(Visit visit, Page page) throws IOException {
        try {
            page.show(visit);
        } catch (TradeException e) {
            sayWhen(visit, e);
            send(visit, status(e.kind()), String.valueOf(e.getMessage()));
        } catch (CallRejectedException e) {
            visit.exchange()
                    .header("Retry-After", Long.toString(Math.max(1, e.retryAfter().toSeconds())));
            send(
                    visit,
                    UNAVAILABLE,
                    "All instances of the services are busy. Try again in a moment.");
        } catch (ServiceException e) {
            visit.exchange().header("Retry-After", "1");
            send(visit, UNAVAILABLE, "The services did not answer in time. Try again in a moment.");
        } catch (SQLException e) {
            LOG.log(System.Logger.Level.WARNING, "The database failed at a page", e);
            visit.exchange().header("Retry-After", "1");
            send(
                    visit,
                    UNAVAILABLE,
                    "The database does not answer. Look at your account before you try again.");
        }
    }

    void send(Visit visit, int status, String message) {
        String title = "DayTrader: That did not work";
        Frame frame =
                status == UNAVAILABLE
                        ? Rendering.plainFrame(visit, title, message)
                        : rendering.frame(visit, title, message);
        Rendering.send(visit, status, out -> JteproblemGenerated.render(out, null, frame, status));
    }
}
