package dev.penstock.http.exchange;

import dev.penstock.http.limits.Client;
import dev.penstock.http.loop.Loop;
import dev.penstock.http.message.ResponseHeaders;
import dev.penstock.http.response.ResponseTransport;
import dev.penstock.http.upgrade.Upgrade;
import java.security.cert.X509Certificate;
import java.util.List;

/** A connection as the exchange that came on it sees it, whatever the protocol. */
public interface ExchangeConnection {
    String remoteAddress();

    /** What it came by: {@code HTTP/1.1}. */
    String protocol();

    /** Returns whether it goes over TLS. */
    boolean isSecure();

    /** The certificates that the client has shown over TLS, its own first. On any thread. */
    default List<X509Certificate> clientCertificates() {
        return List.of();
    }

    /** Whose it is. */
    Client client();

    /** Where everything happens that happens without a thread. */
    Loop loop();

    /** Where the response goes; called once. On the handler's thread. */
    ResponseTransport transport();

    /** Returns whether it sends files by itself, without a thread that waits for the client. */
    default boolean sendsFiles() {
        return true;
    }

    /** Breaks it off, so that the client gets an error and no end. On any thread. */
    void reset();

    /** Lets go of what a request does not need that waits without a thread from now on. On the event loop. */
    default void waiting(ServerExchange exchange) {}

    /** Takes up again what {@link #waiting} let go of: the wait is over, or that in a queue. On the event loop. */
    default void wentOn() {}

    /**
     * Returns whether the client takes trailers.
     *
     * @param te the values of the request's {@code TE}
     */
    default boolean takesTrailers(List<String> te) {
        return false;
    }

    /** Returns whether the connection can be used for another protocol than HTTP. */
    default boolean canUpgrade() {
        return false;
    }

    /**
     * Returns whether the request is an extended CONNECT (RFC 8441), which only another protocol can answer with 200.
     */
    default boolean isConnect() {
        return false;
    }

    /** The status of a response with which another protocol begins. */
    default int upgradeStatus() {
        return 101;
    }

    /**
     * From now on it is another protocol's, and nothing more of HTTP. On the event loop, instead of {@link #waiting}.
     *
     * @param headers of the response
     */
    default void upgrade(Upgrade protocol, ResponseHeaders headers) {
        throw new IllegalStateException("It can't be upgraded");
    }

    /** Called once, when both the handler and the transport are done with it; on any thread. */
    void finished(ServerExchange exchange);
}
