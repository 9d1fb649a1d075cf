package dev.penstock.http.loop;

import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.util.List;

/**
 * A listening socket that stays open whatever goes wrong when a connection is accepted: Netty's closes after an {@link
 * Error}.
 */
final class ListeningChannel extends NioServerSocketChannel {
    /** Accepts a connection; none where another listener has just taken the last that may be. */
    @Override
    protected int doReadMessages(List<Object> accepted) throws Exception {
        return config().isAutoRead() ? super.doReadMessages(accepted) : 0;
    }

    @Override
    protected boolean closeOnReadError(Throwable cause) {
        return !isActive();
    }
}
