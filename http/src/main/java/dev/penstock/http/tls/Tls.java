package dev.penstock.http.tls;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslHandler;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLPeerUnverifiedException;

/** The differences between connections with and without TLS: how they end, and who the client has proved to be. */
public final class Tls {
    private Tls() {}

    /** The chain of certificates that the client has shown, its own first; empty where it has shown none. */
    public static List<X509Certificate> clientCertificates(Channel channel) {
        SslHandler tls = channel.pipeline().get(SslHandler.class);
        if (tls == null) {
            return List.of();
        }
        try {
            List<X509Certificate> chain = new ArrayList<>();
            for (Certificate certificate : tls.engine().getSession().getPeerCertificates()) {
                if (certificate instanceof X509Certificate known) {
                    chain.add(known);
                }
            }
            return List.copyOf(chain);
        } catch (SSLPeerUnverifiedException _) {
            return List.of();
        }
    }

    /** Ends what this side sends; the client may go on. On the channel's event loop. */
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
     * end, a client would take what it has for the whole. On the channel's event loop.
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
