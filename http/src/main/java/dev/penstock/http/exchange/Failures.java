package dev.penstock.http.exchange;

import dev.penstock.http.Handler;
import dev.penstock.http.HttpException;
import dev.penstock.http.limits.LimitExceeded;
import dev.penstock.http.message.Syntax;
import dev.penstock.http.response.Problem;
import dev.penstock.http.response.ProblemPage;
import dev.penstock.http.response.Response;
import java.io.IOException;

/** The responses to requests whose handlers have thrown. */
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

    /**
     * Has the response be an error; where it is too late for that, breaks it off.
     *
     * @return whether there is such a response now, which is to be completed
     */
    static boolean answer(ServerExchange exchange, Throwable failure) throws IOException {
        Response response = exchange.response();
        if (response.isComplete()) {
            LOGGER.log(
                    System.Logger.Level.DEBUG,
                    "A handler failed after its response was complete",
                    failure);
            return false;
        }
        if (exchange.isGone() || response.isBroken()) {
            LOGGER.log(System.Logger.Level.DEBUG, "The client has gone", failure);
            response.breakOff();
            return false;
        }
        exchange.forgetActions();
        if (isFault(failure, response)) {
            log(
                    exchange,
                    failure,
                    response.committed()
                            ? "in the middle of its response, which is broken off"
                            : "before its response");
        }
        HttpException told = failure instanceof HttpException known ? known : Problem.internal();
        Problem problem =
                ProblemPage.isWanted(exchange.headers("Accept"))
                        ? ProblemPage.of(told, exchange, exchange.server.dispatcher()::hasPage)
                        : exchange.server.problem(told);
        boolean replaced = response.replace(problem);
        if (!replaced) {
            response.breakOff();
        }
        return replaced;
    }

    static void log(ServerExchange exchange, Throwable fault, String when) {
        LOGGER.log(
                System.Logger.Level.ERROR,
                "%s %s failed %s"
                        .formatted(exchange.method(), Syntax.printable(exchange.path()), when),
                fault);
    }

    /** Logs that not even an error can be answered, such as for want of memory. */
    static void logUnanswered(ServerExchange exchange, Throwable failure) {
        boolean usual = failure instanceof IOException || exchange.isGone();
        LOGGER.log(
                usual ? System.Logger.Level.DEBUG : System.Logger.Level.WARNING,
                "No error response could be sent",
                failure);
    }

    /** Returns whether the log must tell of it: nobody was told, or the cause was withheld from the client. */
    static boolean isFault(Throwable failure, Response response) {
        if (!(failure instanceof HttpException known)) {
            return true;
        }
        boolean withheld = known.status() == 500 && known.getCause() != null;
        return known.status() >= 500 && (withheld || response.committed());
    }
}
