package dev.penstock.http.exchange;

import dev.penstock.http.Handler;
import dev.penstock.http.message.Syntax;

/**
 * The calls of the filters after an exchange's handler, each once: when that has returned, or in the midst of it,
 * before the head of the response is sent. What they throw is logged, and keeps the response from nobody.
 */
final class AfterFilters {
    private AfterFilters() {}

    /** Calls those that were not called, as the handler has returned; returns false if one has begun a wait. */
    static boolean callAll(ServerExchange exchange, int status) {
        while (exchange.hasNextAfter()) {
            callNext(exchange, status);
            if (exchange.suspension() != null) {
                return false;
            }
        }
        exchange.filteredResponse();
        return true;
    }

    /** The same while the handler runs, whose thread waits as they do, or when there will never be a head. */
    static void callAllHere(ServerExchange exchange, int status) {
        boolean suspended = exchange.suspension() != null;
        exchange.headLeaving(true);
        while (exchange.hasNextAfter()) {
            callNext(exchange, status);
            for (ServerSuspension wait = exchange.suspension();
                    wait != null && !suspended;
                    wait = exchange.suspension()) {
                goOn(exchange, exchange.awaitHere(wait));
            }
        }
        exchange.headLeaving(false);
        exchange.filteredResponse();
    }

    // Whatever a filter throws must not keep the response from the client.
    @SuppressWarnings("CatchingUnchecked")
    private static void callNext(ServerExchange exchange, int status) {
        boolean suspended = exchange.suspension() != null;
        try {
            exchange.nextAfter().after(exchange, status);
        } catch (Throwable failure) {
            failed(exchange, suspended, failure);
        }
    }

    /** Goes on with such a filter after its wait. */
    // As above.
    @SuppressWarnings("CatchingUnchecked")
    static void goOn(ServerExchange exchange, Handler continuation) {
        try {
            continuation.handle(exchange);
        } catch (Throwable failure) {
            failed(exchange, false, failure);
        }
    }

    /**
     * Ends the wait that the filter has begun.
     *
     * @param suspended whether the exchange was suspended before it, by the handler
     */
    private static void failed(ServerExchange exchange, boolean suspended, Throwable failure) {
        if (!suspended) {
            exchange.abandonSuspension();
        }
        exchange.server
                .log()
                .log(
                        System.Logger.Level.ERROR,
                        "A filter after %s %s failed"
                                .formatted(exchange.method(), Syntax.printable(exchange.path())),
                        failure);
    }
}
