package dev.penstock.http.upgrade;

import dev.penstock.http.message.ResponseHeaders;
import io.netty.buffer.ByteBuf;
import java.io.IOException;

/**
 * Another protocol, for which an exchange's connection of HTTP/1.1, or its stream of HTTP/2, is used when the handler
 * has returned. Its {@link Tunnel} tells it what comes. On the event loop, save where a method says otherwise.
 */
public interface Upgrade {
    /** Adds the headers of the response with which the protocol begins. */
    void addHeaders(ResponseHeaders headers);

    /**
     * The request was answered, and the tunnel is the protocol's from now on.
     *
     * @throws IOException if the client has gone
     */
    void open(Tunnel tunnel) throws IOException;

    /** Takes over bytes that have come. */
    void received(ByteBuf bytes);

    /** All that was there to be read has been given to {@link #received}. */
    void receivedAll();

    /** The client will send no more. */
    void inputEnded();

    /** {@link Tunnel#isWritable} has changed. */
    void writabilityChanged();

    /** The tunnel is no more. Once, if it was opened. */
    void closed();

    /** Returns whether the request was answered, so that the protocol has changed. On any thread. */
    boolean hasOpened();

    /** Closes it, since the server stops. */
    void stop();

    /** Returns whether both sides have agreed on the end. On any thread, when it is closed. */
    boolean endedWell();
}
