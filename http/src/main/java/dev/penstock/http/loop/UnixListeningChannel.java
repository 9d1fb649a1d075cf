package dev.penstock.http.loop;

import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelMetadata;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.DefaultChannelConfig;
import io.netty.channel.ServerChannel;
import io.netty.channel.ServerChannelRecvByteBufAllocator;
import io.netty.channel.nio.AbstractNioMessageChannel;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A listening Unix domain socket that is bound already, and stays open whatever goes wrong when a connection is
 * accepted. Netty has one (4.2.18), which closes after an {@link Error}, deletes whatever is at its path when it is
 * closed, and whose connections can't be closed in one direction.
 */
final class UnixListeningChannel extends AbstractNioMessageChannel implements ServerChannel {
    private static final ChannelMetadata METADATA = new ChannelMetadata(false, 16);

    private final ChannelConfig config;

    UnixListeningChannel(ServerSocketChannel bound) {
        super(null, bound, SelectionKey.OP_ACCEPT);
        config = new Config(this);
    }

    private static final class Config extends DefaultChannelConfig {
        private final UnixListeningChannel listening;

        Config(UnixListeningChannel channel) {
            super(channel, new ServerChannelRecvByteBufAllocator());
            listening = channel;
        }

        @Override
        protected void autoReadCleared() {
            listening.clearReadPending();
        }
    }

    @Override
    protected ServerSocketChannel javaChannel() {
        return (ServerSocketChannel) super.javaChannel();
    }

    @Override
    public ChannelConfig config() {
        return config;
    }

    @Override
    public ChannelMetadata metadata() {
        return METADATA;
    }

    @Override
    public boolean isActive() {
        return isOpen();
    }

    /** Accepts a connection; none where another listener has just taken the last that may be. */
    @Override
    protected int doReadMessages(List<Object> accepted) throws Exception {
        SocketChannel connection = config.isAutoRead() ? javaChannel().accept() : null;
        if (connection == null) {
            return 0;
        }
        try {
            accepted.add(new UnixChannel(this, connection));
            return 1;
        } catch (IOException | RuntimeException | Error failure) {
            connection.close();
            throw failure;
        }
    }

    @Override
    protected boolean closeOnReadError(Throwable cause) {
        return !isActive();
    }

    @Override
    protected void doClose() throws Exception {
        javaChannel().close();
    }

    @Override
    protected @Nullable SocketAddress localAddress0() {
        try {
            return javaChannel().getLocalAddress();
        } catch (IOException _) {
            return null;
        }
    }

    @Override
    protected @Nullable SocketAddress remoteAddress0() {
        return null;
    }

    // What a listening socket that is bound already never does.

    @Override
    protected void doBind(SocketAddress address) {
        throw new UnsupportedOperationException("It is bound already");
    }

    @Override
    protected void doDisconnect() {
        throw new UnsupportedOperationException("It has no peer");
    }

    @Override
    protected boolean doConnect(SocketAddress remote, SocketAddress local) {
        throw new UnsupportedOperationException("It has no peer");
    }

    @Override
    protected void doFinishConnect() {
        throw new UnsupportedOperationException("It has no peer");
    }

    @Override
    protected boolean doWriteMessage(Object message, ChannelOutboundBuffer queue) {
        throw new UnsupportedOperationException("It has no peer");
    }
}
