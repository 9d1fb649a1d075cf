package dev.penstock.http;

/**
 * Whoever follows requests on their way through a server, such as a tracer: told when each begins, when its code runs
 * on some thread, when that fails, and when all is over. Given to the builder of a server. Thread-safe; nothing in it
 * may block. What it throws is logged, and the request goes on.
 */
@FunctionalInterface
public interface RequestObserver {
    /**
     * Begins to follow a request, before its filters: its head, route and client are known. On an event loop. It may
     * keep attributes with the exchange, but not answer.
     */
    Observation begin(Exchange exchange);

    /** One request that is followed. Its methods are called by one thread at a time. */
    interface Observation {
        /**
         * Filters, the handler or what goes on after a wait are about to run on this thread. What is returned is closed
         * on the same thread when they have returned, before anything else runs on it.
         */
        Scope enter();

        /** A filter or the handler has thrown this; an error handler or a problem document answers. */
        default void failed(Throwable failure) {}

        /** All is over: the response has left or is broken, and the handler has returned. Called once. */
        void finished(FinishedRequest request);
    }

    /** The time in which code of a request runs on a thread. */
    @FunctionalInterface
    interface Scope extends AutoCloseable {
        @Override
        void close();
    }
}
