package dev.penstock.http.exchange;

import dev.penstock.http.loop.Loop;
import dev.penstock.http.response.ResponseTransport;
import io.netty.channel.ChannelHandlerContext;
import java.io.IOException;

/** Another protocol that a connection of HTTP/1.1 is to speak when the handler of an exchange has returned. */
public interface Upgrade {
    /**
     * Answers the request, and takes the connection over. On the event loop.
     *
     * @param http the context of the handler of HTTP, before which it adds its own
     * @param transport of the response
     * @param date the value of {@code Date}
     */
    void open(ChannelHandlerContext http, Loop loop, ResponseTransport transport, String date)
            throws IOException;

    /** Whether the request was answered, so that the protocol has changed. */
    boolean hasOpened();

    /** Closes it, since the server stops. On the event loop. */
    void stop();

    /** Whether both sides have agreed on the end. On any thread, when it is closed. */
    boolean endedWell();
}
