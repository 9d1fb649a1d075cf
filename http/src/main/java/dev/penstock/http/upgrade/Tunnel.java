package dev.penstock.http.upgrade;

import dev.penstock.http.loop.Loop;
import dev.penstock.http.response.ResponseTransport;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;

/**
 * A carrier of another protocol than HTTP in both directions: a connection of HTTP/1.1 after its upgrade (RFC 9110,
 * section 7.8), or a stream of HTTP/2 after an extended CONNECT (RFC 8441). On the event loop, save where a method says
 * otherwise.
 */
public interface Tunnel {
    /** The handler in the connection's pipeline that it belongs to, for buffers and Netty's decoders. */
    ChannelHandlerContext context();

    /** Where all of it happens. */
    Loop loop();

    /** What bounds the bytes that are on their way to the client. On any thread. */
    ResponseTransport transport();

    /** Returns whether what was written beside the transport has left, so that a little more can be. */
    boolean isWritable();

    /** Sends bytes behind all that the transport was given before. They are taken over. */
    void write(ByteBuf bytes);

    /** The same, and ends the tunnel when they have left. */
    void writeLast(ByteBuf bytes);

    /**
     * Counts bytes that have come and that the protocol holds, until they make sense, as unread ({@link
     * dev.penstock.http.limits.UnreadBodies}); to be called before {@link #read}. The end of the tunnel is that of
     * them.
     *
     * @param bytes all that are held now
     * @return false if there is no room for so many: then the protocol ends
     */
    boolean holds(long bytes);

    /** Asks for more from the client, which is not sent more than it was asked for. */
    void read();

    /** Ends this side when all that was written before has left. What comes is still received. */
    void endOutput();

    /** Ends both sides. */
    void close();

    /** Breaks it off: the client does not answer. */
    void abort();
}
