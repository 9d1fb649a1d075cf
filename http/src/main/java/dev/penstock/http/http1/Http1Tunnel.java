package dev.penstock.http.http1;

import dev.penstock.http.limits.UnreadBodies;
import dev.penstock.http.loop.Loop;
import dev.penstock.http.response.ResponseTransport;
import dev.penstock.http.tls.Tls;
import dev.penstock.http.upgrade.Tunnel;
import dev.penstock.http.upgrade.Upgrade;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A connection of HTTP/1.1 that another protocol has taken over. On its event loop. */
final class Http1Tunnel extends ChannelInboundHandlerAdapter implements Tunnel {
    private final Upgrade protocol;
    private final Loop loop;
    private final ResponseTransport transport;
    private final UnreadBodies.Share held;
    private @Nullable ChannelHandlerContext context;

    private Http1Tunnel(
            Upgrade protocol, Loop loop, ResponseTransport transport, UnreadBodies.Share held) {
        this.protocol = protocol;
        this.loop = loop;
        this.transport = transport;
        this.held = held;
    }

    /**
     * Answers the request, and gives the connection to the protocol.
     *
     * @param http the handler before which it stands in the pipeline
     * @param held counts what the protocol holds
     * @param head the response, as it is sent
     * @throws IOException if the client has gone
     */
    static void open(
            ChannelHandlerContext http,
            Upgrade protocol,
            Loop loop,
            ResponseTransport transport,
            UnreadBodies.Share held,
            byte[] head)
            throws IOException {
        Http1Tunnel tunnel = new Http1Tunnel(protocol, loop, transport, held);
        transport.send(null, transport.allocate(head.length).writeBytes(head), false);
        http.pipeline().addBefore(http.name(), null, tunnel);
        protocol.open(tunnel);
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        this.context = context;
    }

    @Override
    public ChannelHandlerContext context() {
        return Objects.requireNonNull(context, "added");
    }

    @Override
    public Loop loop() {
        return loop;
    }

    @Override
    public ResponseTransport transport() {
        return transport;
    }

    @Override
    public boolean isWritable() {
        return context().channel().isWritable();
    }

    @Override
    public void write(ByteBuf bytes) {
        context().writeAndFlush(bytes);
    }

    @Override
    public void writeLast(ByteBuf bytes) {
        context().writeAndFlush(bytes).addListener(ChannelFutureListener.CLOSE);
    }

    @Override
    public boolean holds(long bytes) {
        return held.set(bytes);
    }

    @Override
    public void read() {
        context().read();
    }

    @Override
    public void endOutput() {
        context()
                .writeAndFlush(Unpooled.EMPTY_BUFFER)
                .addListener(_ -> Tls.shutdownOutput(context().channel()));
    }

    @Override
    public void close() {
        context().close();
    }

    @Override
    public void abort() {
        context().close();
    }

    // What the connection tells.

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof ByteBuf bytes) {
            protocol.received(bytes);
        } else {
            ReferenceCountUtil.release(message);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        protocol.receivedAll();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        protocol.writabilityChanged();
        context.fireChannelWritabilityChanged();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof ChannelInputShutdownEvent) {
            protocol.inputEnded();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        protocol.closed();
        held.end();
        context.fireChannelInactive();
    }
}
