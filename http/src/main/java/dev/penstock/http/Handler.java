package dev.penstock.http;

/**
 * Answers requests. Called on a virtual thread of its own for each request, where it may block; see {@link
 * #nonBlocking}.
 */
@FunctionalInterface
public interface Handler {
    /**
     * Answers one request. When it returns, the response is complete: a body that it left open is ended, unless the
     * exchange was suspended. When it throws before the head of the response was sent, the client gets an error
     * response ({@link HttpException}: what it says; anything else: 500). When it throws afterwards, the connection is
     * reset, so that no client takes half for the whole.
     */
    void handle(Exchange exchange) throws Exception;

    /**
     * Marks a handler that never blocks: it runs on the event loop itself, without a thread of its own and without
     * admission, unless its route has one of its own. While it runs, nothing else does on that loop, so it must be done
     * within microseconds. It can't read the request's body ({@link Suspension#onBody} can), and its response must be
     * small (60 KiB are sure to go). It may suspend the exchange.
     */
    static Handler nonBlocking(Handler handler) {
        return handler.isNonBlocking() ? handler : new NonBlocking(handler);
    }

    /**
     * Returns what answers one request: this handler, unless it has another for it, such as a {@linkplain #nonBlocking
     * non-blocking} one for what is at hand. Called once for each request that has come to the handler's route, before
     * its filters, on the event loop: it must not block, nor change anything.
     *
     * @param exchange only to be asked about the request
     */
    default Handler forRequest(Exchange exchange) {
        return this;
    }

    /** Returns whether it was marked by {@link #nonBlocking}. */
    default boolean isNonBlocking() {
        return this instanceof NonBlocking;
    }
}
