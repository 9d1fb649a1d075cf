package dev.penstock.http.exchange;

import dev.penstock.http.limits.Client;
import dev.penstock.http.loop.Loop;
import dev.penstock.http.response.ResponseTransport;

/** A connection as the exchange that came on it sees it, whatever the protocol. */
public interface ExchangeConnection {
    String remoteAddress();

    /** What it came by: {@code HTTP/1.1}. */
    String protocol();

    /** Whose it is. */
    Client client();

    /** Where everything happens that happens without a thread. */
    Loop loop();

    /** Where the response goes; called once. On the handler's thread. */
    ResponseTransport transport();

    /** Breaks it off, so that the client gets an error and no end. On any thread. */
    void reset();

    /** Lets go of what a request does not need that waits without a thread from now on. On the event loop. */
    default void waiting(ServerExchange exchange) {}

    /** Takes up again what {@link #waiting} let go of: the wait is over, or that in a queue. On the event loop. */
    default void wentOn() {}

    /** Whether the connection can be used for another protocol than HTTP. */
    default boolean canUpgrade() {
        return false;
    }

    /** From now on it is a WebSocket, and nothing more of HTTP. On the event loop, instead of {@link #waiting}. */
    default void upgrade(Upgrade protocol) {
        throw new IllegalStateException("It can't be upgraded");
    }

    /** Called once, when both the handler and the transport are done with it; on any thread. */
    void finished(ServerExchange exchange);
}
