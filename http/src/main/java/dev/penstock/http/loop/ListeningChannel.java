package dev.penstock.http.loop;

import io.netty.channel.socket.nio.NioServerSocketChannel;

/**
 * A listening socket that stays open whatever goes wrong when a connection is accepted: Netty's closes after an {@link
 * Error}.
 */
final class ListeningChannel extends NioServerSocketChannel {
    @Override
    protected boolean closeOnReadError(Throwable cause) {
        return !isActive();
    }
}
