package dev.penstock.http.loop;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.channel.DefaultChannelConfig;
import io.netty.channel.FileRegion;
import io.netty.channel.nio.AbstractNioByteChannel;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * A connection to a Unix domain socket. Each direction can be closed on its own, as with TCP: Netty's {@code
 * NioDomainSocketChannel} (4.2.18) closes both when the client has closed one, and is final.
 *
 * <p>There is no reset: where this side closes, the client sees an error if it had sent something that was not read, or
 * else an end.
 */
public final class UnixChannel extends AbstractNioByteChannel implements DuplexChannel {
    private static final int MOST_BUFFERS = 64;

    private final ChannelConfig config;
    private volatile boolean inputShutdown;
    private volatile boolean outputShutdown;

    UnixChannel(Channel parent, SocketChannel connection) throws IOException {
        super(parent, connection);
        // Of fixed size, as that of TCP connections: EventLoops says why.
        connection.setOption(StandardSocketOptions.SO_SNDBUF, EventLoops.SEND_BUFFER);
        config = new Config(this);
    }

    private static final class Config extends DefaultChannelConfig {
        private final UnixChannel unix;

        Config(UnixChannel channel) {
            super(channel);
            unix = channel;
        }

        @Override
        protected void autoReadCleared() {
            unix.clearReadPending();
        }
    }

    @Override
    protected SocketChannel javaChannel() {
        return (SocketChannel) super.javaChannel();
    }

    @Override
    public ChannelConfig config() {
        return config;
    }

    @Override
    public boolean isActive() {
        return javaChannel().isOpen() && javaChannel().isConnected();
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
        try {
            return javaChannel().getRemoteAddress();
        } catch (IOException _) {
            return null;
        }
    }

    // Reading and writing.

    /**
     * Reads what is there. At the end, the handlers are told as they are with TCP, and nothing is read any more; the
     * base class would close the channel.
     */
    @Override
    protected int doReadBytes(ByteBuf into) throws Exception {
        var handle = unsafe().recvBufAllocHandle();
        handle.attemptedBytesRead(into.writableBytes());
        int count = into.writeBytes(javaChannel(), handle.attemptedBytesRead());
        if (count >= 0) {
            return count;
        }
        clearReadPending();
        if (!inputShutdown) {
            inputShutdown = true;
            eventLoop()
                    .execute(() ->
                            pipeline().fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE));
        }
        return 0;
    }

    @Override
    protected void doBeginRead() throws Exception {
        if (!inputShutdown) {
            super.doBeginRead();
        }
    }

    @Override
    protected int doWriteBytes(ByteBuf bytes) throws Exception {
        return bytes.readBytes(javaChannel(), bytes.readableBytes());
    }

    @Override
    protected long doWriteFileRegion(FileRegion region) throws Exception {
        return region.transferTo(javaChannel(), region.transferred());
    }

    /** Writes several buffers with one call of the system where there are several. */
    @Override
    protected void doWrite(ChannelOutboundBuffer queue) throws Exception {
        int spins = config.getWriteSpinCount();
        while (spins > 0 && !queue.isEmpty()) {
            ByteBuffer[] buffers = queue.nioBuffers(MOST_BUFFERS, EventLoops.SEND_BUFFER);
            int count = queue.nioBufferCount();
            if (count == 0) {
                spins -= doWrite0(queue);
                continue;
            }
            long written = javaChannel().write(buffers, 0, count);
            if (written <= 0) {
                incompleteWrite(true);
                return;
            }
            queue.removeBytes(written);
            spins--;
        }
        if (queue.isEmpty()) {
            clearOpWrite();
        } else {
            incompleteWrite(spins < 0);
        }
    }

    // How it ends.

    @Override
    protected boolean isInputShutdown0() {
        return isInputShutdown();
    }

    @Override
    public boolean isInputShutdown() {
        return inputShutdown || !isActive();
    }

    @Override
    public boolean isOutputShutdown() {
        return outputShutdown || !isActive();
    }

    @Override
    public boolean isShutdown() {
        return isInputShutdown() && isOutputShutdown();
    }

    @Override
    public ChannelFuture shutdownInput() {
        return shutdownInput(newPromise());
    }

    @Override
    public ChannelFuture shutdownInput(ChannelPromise promise) {
        onLoop(() -> {
            try {
                inputShutdown = true;
                javaChannel().shutdownInput();
                promise.setSuccess();
            } catch (IOException failure) {
                promise.setFailure(failure);
            }
        });
        return promise;
    }

    @Override
    protected void doShutdownOutput() throws Exception {
        outputShutdown = true;
        javaChannel().shutdownOutput();
    }

    @Override
    public ChannelFuture shutdownOutput() {
        return shutdownOutput(newPromise());
    }

    @Override
    public ChannelFuture shutdownOutput(ChannelPromise promise) {
        onLoop(() -> ((AbstractUnsafe) unsafe()).shutdownOutput(promise));
        return promise;
    }

    @Override
    public ChannelFuture shutdown() {
        return shutdown(newPromise());
    }

    @Override
    public ChannelFuture shutdown(ChannelPromise promise) {
        shutdownOutput().addListener(_ -> shutdownInput(promise));
        return promise;
    }

    private void onLoop(Runnable action) {
        if (eventLoop().inEventLoop()) {
            action.run();
        } else {
            eventLoop().execute(action);
        }
    }

    @Override
    protected void doDisconnect() throws Exception {
        doClose();
    }

    @Override
    protected void doClose() throws Exception {
        super.doClose();
        javaChannel().close();
    }

    // What an accepted connection never does.

    @Override
    protected void doBind(SocketAddress address) {
        throw new UnsupportedOperationException("It was accepted");
    }

    @Override
    protected boolean doConnect(SocketAddress remote, SocketAddress local) {
        throw new UnsupportedOperationException("It was accepted");
    }

    @Override
    protected void doFinishConnect() {
        throw new UnsupportedOperationException("It was accepted");
    }
}
