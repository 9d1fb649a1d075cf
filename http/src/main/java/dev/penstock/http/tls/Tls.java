package dev.penstock.http.tls;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslHandler;

/** How connections end, with TLS and without. On their event loops. */
public final class Tls {
    private Tls() {}

    /** Ends what this side sends; the client may go on. */
    public static void shutdownOutput(Channel channel) {
        SslHandler tls = channel.pipeline().get(SslHandler.class);
        if (tls == null) {
            shutdownSocket(channel);
        } else {
            tls.closeOutbound().addListener(_ -> shutdownSocket(channel));
        }
    }

    private static void shutdownSocket(Channel channel) {
        if (channel instanceof DuplexChannel duplex && duplex.isActive()) {
            duplex.shutdownOutput();
        }
    }

    /**
     * Breaks the connection. Never a clean end, and no word of TLS that it were one: where a body is delimited by the
     * end, a client would take what it has for the whole.
     */
    public static void breakOff(Channel channel) {
        if (channel.isOpen()) {
            channel.config().setOption(ChannelOption.SO_LINGER, 0);
        }
        ChannelHandlerContext tls = channel.pipeline().context(SslHandler.class);
        if (tls == null) {
            channel.close();
        } else {
            tls.close();
        }
    }
}
