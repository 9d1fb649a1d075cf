package dev.penstock.http.exchange;

import dev.penstock.http.Handler;
import dev.penstock.http.HttpException;
import dev.penstock.http.limits.LimitExceeded;
import dev.penstock.http.message.Syntax;
import dev.penstock.http.response.Problem;
import dev.penstock.http.response.ProblemPage;
import dev.penstock.http.response.Response;
import java.io.IOException;

/** What becomes of a request whose handler has thrown. */
public final class Failures {
    private static final System.Logger LOGGER = System.getLogger("dev.penstock.http");

    private Failures() {}

    /** The answer to a connection or request beyond a limit of its client. */
    public static HttpException tooMany(LimitExceeded exceeded) {
        return new HttpException(429, exceeded.message())
                .header("Retry-After", Long.toString(exceeded.retryAfterSeconds()));
    }

    /** One that fails so, whatever it is: a handler's failures of every kind are answered. */
    static Handler handler(Throwable failure) {
        return Handler.nonBlocking(_ -> rethrow(failure));
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void rethrow(Throwable failure) throws E {
        throw (E) failure;
    }

    /** Answers with an error; where it is too late for that, breaks the response off. */
    // Whatever a handler throws must reach the client as a failure, errors included.
    @SuppressWarnings("CatchingUnchecked")
    static void answer(ServerExchange exchange, Throwable failure) {
        try {
            tell(exchange, exchange.response(), failure);
        } catch (Throwable worse) {
            // No memory for an error response, say: the client must not wait for one.
            LOGGER.log(System.Logger.Level.WARNING, "No error response could be sent", worse);
            exchange.breakOff();
        }
    }

    private static void tell(ServerExchange exchange, Response response, Throwable failure) {
        if (response.isComplete()) {
            LOGGER.log(
                    System.Logger.Level.DEBUG,
                    "A handler failed after its response was complete",
                    failure);
            return;
        }
        if (exchange.isGone() || response.isBroken()) {
            LOGGER.log(System.Logger.Level.DEBUG, "The client has gone", failure);
            response.breakOff();
            return;
        }
        exchange.forgetActions();
        if (isFault(failure, response)) {
            LOGGER.log(
                    System.Logger.Level.ERROR,
                    "%s %s failed %s"
                            .formatted(
                                    exchange.method(),
                                    Syntax.printable(exchange.path()),
                                    response.committed()
                                            ? "in the middle of its response, which is broken off"
                                            : "before its response"),
                    failure);
        }
        HttpException told = failure instanceof HttpException known ? known : Problem.internal();
        Problem problem =
                ProblemPage.isWanted(exchange.headers("Accept"))
                        ? ProblemPage.of(told, exchange, exchange::hasPage)
                        : exchange.problem(told);
        try {
            if (!response.replace(problem)) {
                response.breakOff();
            }
        } catch (IOException gone) {
            LOGGER.log(System.Logger.Level.DEBUG, "No error response could be sent", gone);
            response.breakOff();
        }
    }

    /** Whether the log must tell of it: nobody was told, or the cause was withheld from the client. */
    private static boolean isFault(Throwable failure, Response response) {
        if (!(failure instanceof HttpException known)) {
            return true;
        }
        boolean withheld = known.status() == 500 && known.getCause() != null;
        return known.status() >= 500 && (withheld || response.committed());
    }
}
