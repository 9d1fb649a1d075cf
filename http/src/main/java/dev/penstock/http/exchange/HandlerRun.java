package dev.penstock.http.exchange;

import dev.penstock.http.ErrorHandler;
import dev.penstock.http.Handler;
import dev.penstock.http.RequestObserver;
import dev.penstock.http.response.Response;
import java.io.IOException;
import java.util.List;

/**
 * The run of an exchange's filters and its handler, until they have answered it, have failed, or have suspended it;
 * then the filters after the handler. On the handler's thread, or the event loop where none of them blocks.
 */
final class HandlerRun {
    /** The state in which a handler has left its exchange. */
    enum Outcome {
        DONE,
        /** It has suspended the exchange. */
        WAITS,
        /** Another thread goes on. */
        MOVED
    }

    private HandlerRun() {}

    /** Runs a step, or what goes on after a wait, and what follows it. */
    static Outcome of(ServerExchange exchange, Handler handler) {
        ObservedRequest known = exchange.observed();
        if (known == null) {
            return handle(exchange, handler);
        }
        List<RequestObserver.Scope> scopes = known.enter();
        try {
            return handle(exchange, handler);
        } finally {
            ObservedRequest.leave(scopes);
        }
    }

    // Whatever a handler throws must reach the client as a failure, errors included.
    @SuppressWarnings("CatchingUnchecked")
    private static Outcome handle(ServerExchange exchange, Handler handler) {
        try {
            if (exchange.isFilteringResponse()) {
                AfterFilters.goOn(exchange, handler);
            } else {
                handler.handle(exchange);
            }
            while (exchange.hasNextStep() && goesOn(exchange)) {
                exchange.nextStep().handle(exchange);
            }
            return settle(exchange);
        } catch (Throwable failure) {
            return fail(exchange, failure);
        }
    }

    /**
     * Returns whether the step behind a filter is to be called: that has neither answered nor suspended the exchange.
     */
    private static boolean goesOn(ServerExchange exchange) {
        Response made = exchange.begunResponse();
        if (made != null && made.isAnswered()) {
            return false;
        }
        return exchange.suspension() == null && !exchange.isGone();
    }

    /** Nobody has anything to add: the filters after the handler see the response, and it is completed. */
    private static Outcome settle(ServerExchange exchange) throws IOException {
        if (exchange.suspension() != null) {
            Response made = exchange.begunResponse();
            if (made != null && !exchange.isFilteringResponse()) {
                made.rest();
            }
            return Outcome.WAITS;
        }
        Response made = exchange.response();
        if (!made.committed() && !exchange.isGone()) {
            made.checkLength();
            if (!AfterFilters.callAll(exchange, made.status())) {
                return Outcome.WAITS;
            }
        }
        if (made.status() >= 500) {
            logAnsweredFault(exchange);
        } else {
            var _ = exchange.takeAnsweredFault();
        }
        made.complete();
        return Outcome.DONE;
    }

    /** Has an error handler answer, once, or else a problem document. */
    // Where there is no memory for an error response, say, the client must not wait for one.
    @SuppressWarnings("CatchingUnchecked")
    private static Outcome fail(ServerExchange exchange, Throwable thrown) {
        exchange.abandonSuspension();
        ObservedRequest observed = exchange.observed();
        if (observed != null) {
            observed.failed(thrown);
        }
        Throwable failure = exchange.mapped(thrown);
        // That of the error handler comes on top of it.
        logAnsweredFault(exchange);
        try {
            ErrorHandler<Throwable> handler =
                    exchange.isGone() ? null : exchange.errorHandler(failure);
            exchange.skipSteps();
            if (handler != null && exchange.response().restart()) {
                exchange.forgetActions();
                boolean isFault = Failures.isFault(failure, exchange.response());
                exchange.answeredFault(isFault ? failure : null);
                return answerBy(exchange, answered -> handler.handle(failure, answered));
            }
            return Failures.answer(exchange, failure) ? settle(exchange) : Outcome.DONE;
        } catch (Throwable worse) {
            try {
                Failures.logUnanswered(exchange, worse);
            } finally {
                exchange.breakOff();
            }
            return Outcome.DONE;
        }
    }

    static void logAnsweredFault(ServerExchange exchange) {
        Throwable fault = exchange.takeAnsweredFault();
        if (fault != null) {
            Failures.log(exchange, fault, "before its response, which is an error handler's");
        }
    }

    /** Goes on with an error handler, which may block: on a thread, as soon as it is admitted. */
    private static Outcome answerBy(ServerExchange exchange, Handler handler) {
        if (!exchange.loop().isHere()) {
            return handle(exchange, handler);
        }
        exchange.goOnOnThread(handler);
        return Outcome.MOVED;
    }
}
