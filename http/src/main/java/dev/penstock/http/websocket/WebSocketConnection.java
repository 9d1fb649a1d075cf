package dev.penstock.http.websocket;

import dev.penstock.http.exchange.Upgrade;
import dev.penstock.http.loop.Loop;
import dev.penstock.http.loop.TimerWheel;
import dev.penstock.http.response.ResponseTransport;
import dev.penstock.http.tls.Tls;
import dev.penstock.http.websocket.WebSocketSender.Phase;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CorruptedWebSocketFrameException;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A WebSocket's side of its connection, from the handshake's answer on. On the connection's event loop, save where a
 * method says otherwise.
 *
 * <p>Frames of data go through the {@link ResponseTransport}, which bounds what is on its way. Those that answer the
 * client, and the end, are written beside it: by the loop, after all that the transport was given before. Nothing is
 * read while the listener has enough, or while what was answered has not left.
 */
final class WebSocketConnection extends ChannelInboundHandlerAdapter implements Upgrade {
    private static final System.Logger LOGGER = System.getLogger("dev.penstock.http");
    private static final int NONE = 1005;
    private static final int GONE = 1006;
    private static final int GREATEST_CODE = 4999;
    private static final int LONGEST_REASON = 120;
    private static final long CLOSING_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final WebSocketHandshake handshake;
    private final WebSocket.Options options;
    private final WebSocketSender sender = new WebSocketSender();
    private final WebSocket socket;
    private final WebSocketInbox inbox;
    private final WebSocketMessages messages;
    private final Pulse pulse = new Pulse();

    private @Nullable ChannelHandlerContext context;
    private @Nullable Loop loop;
    private @Nullable WebSocketDecoder decoder;
    private boolean inputEnded;

    /** What has come makes no sense, and is dropped; what came before it is being answered. */
    private boolean broken;

    private boolean pinged;
    private boolean told;
    private int codeSent = NONE;
    private String reasonSent = "";
    private volatile boolean endedWell;

    /** The answer to the last ping, while it can't be written. */
    private @Nullable ByteBuf pong;

    WebSocketConnection(
            WebSocketHandshake handshake, WebSocket.Options options, WebSocket.Listener listener) {
        this.handshake = handshake;
        this.options = options;
        socket = new WebSocket(this, sender, handshake.subprotocol());
        inbox = new WebSocketInbox(listener, this::listenerFailed, () -> onLoop(this::readOn));
        messages = new WebSocketMessages(options);
    }

    /** The request's handler has returned: answers, and goes on in place of HTTP. */
    @Override
    public void open(
            ChannelHandlerContext http, Loop loop, ResponseTransport transport, String date)
            throws IOException {
        WebSocketDecoder frames = new WebSocketDecoder(options.maxMessageBytes(), this::wantsFrame);
        decoder = frames;
        this.loop = loop;
        transport.onRoom(sender::signal);
        byte[] response = handshake.response(date);
        transport.send(null, transport.allocate(response.length).writeBytes(response), false);
        sender.open(loop, transport);
        inbox.add(socket, new WebSocketInbox.Opened());
        http.pipeline().addBefore(http.name(), null, frames).addBefore(http.name(), null, this);
        pulse.schedule(options.heartbeat().toNanos());
        readOn();
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        this.context = context;
    }

    private ChannelHandlerContext context() {
        return Objects.requireNonNull(context, "open");
    }

    /** On any thread. */
    private void onLoop(Runnable action) {
        Loop known = loop;
        if (known != null) {
            var _ = known.execute(action);
        }
    }

    // Its end.

    /** Whether the handshake was answered. */
    @Override
    public boolean hasOpened() {
        return sender.phase() != Phase.NEW;
    }

    /** Announces the end. On any thread. */
    void close(int code, String reason) {
        if (sender.leave(Phase.OPEN, Phase.CLOSING)) {
            onLoop(() -> {
                writeClose(code, reason);
                pulse.schedule(CLOSING_NANOS);
                readOn();
            });
        }
    }

    private void writeClose(int code, String reason) {
        codeSent = code;
        reasonSent = reason;
        context().writeAndFlush(Frames.close(code, reason));
    }

    /** The server stops. */
    @Override
    public void stop() {
        close(1001, "The server is stopping");
    }

    private void listenerFailed(Throwable failure) {
        if (failure instanceof IOException && !sender.isOpen()) {
            LOGGER.log(System.Logger.Level.DEBUG, "A WebSocket's client has gone", failure);
            return;
        }
        LOGGER.log(System.Logger.Level.ERROR, "The listener of a WebSocket failed", failure);
        close(1011, "The server has failed to handle a message");
    }

    // What comes from the client.

    /** Whether the next frame can be dealt with; one that comes after the end is announced is dropped. */
    private boolean wantsFrame() {
        return !sender.isOpen() || (inbox.hasRoom() && !broken);
    }

    /** Goes on with what has come, and has more read, if that can be dealt with. */
    private void readOn() {
        if (sender.phase() == Phase.NEW || sender.phase() == Phase.CLOSED || !wantsFrame()) {
            return;
        }
        decodeOn();
        if (!wantsFrame()) {
            return;
        }
        if (inputEnded) {
            // Nobody closes half of a WebSocket.
            context().close();
        } else if (!sender.isOpen() || context().channel().isWritable()) {
            context().read();
        }
    }

    private void decodeOn() {
        WebSocketDecoder known = decoder;
        if (known != null) {
            try {
                known.goOn();
            } catch (Exception failure) {
                exceptionCaught(context(), failure);
            }
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        try {
            if (message instanceof WebSocketFrame frame
                    && !broken
                    && (sender.isOpen() || sender.phase() == Phase.CLOSING)) {
                take(frame);
            }
        } catch (WebSocketMessages.Refused refused) {
            refuse(refused.code(), refused.reason());
        } finally {
            ReferenceCountUtil.release(message);
        }
    }

    private void take(WebSocketFrame frame) throws WebSocketMessages.Refused {
        switch (frame) {
            case CloseWebSocketFrame close -> clientCloses(close);
            case PingWebSocketFrame ping -> answer(ping.content());
            case PongWebSocketFrame _ -> {}
            default -> {
                WebSocketInbox.Item item = messages.take(frame);
                if (item != null && sender.isOpen()) {
                    inbox.add(socket, item);
                }
            }
        }
    }

    private void answer(ByteBuf payload) {
        if (sender.isOpen()) {
            dropPong();
            pong = Frames.control(Frames.PONG, payload.nioBuffer());
            writePong();
        }
    }

    private void writePong() {
        ByteBuf known = pong;
        if (known != null && context().channel().isWritable()) {
            pong = null;
            context().writeAndFlush(known);
        }
    }

    private void dropPong() {
        if (pong != null) {
            pong.release();
            pong = null;
        }
    }

    private void clientCloses(CloseWebSocketFrame close) throws WebSocketMessages.Refused {
        int code = close.statusCode() < 0 ? NONE : close.statusCode();
        if (code > GREATEST_CODE) {
            throw new WebSocketMessages.Refused(1002, "There is no such code for closing");
        }
        if (sender.leave(Phase.OPEN, Phase.ENDING)) {
            // Behind what the transport was given before.
            onLoop(() -> {
                context()
                        .writeAndFlush(Frames.close(code, ""))
                        .addListener(ChannelFutureListener.CLOSE);
                pulse.schedule(CLOSING_NANOS);
            });
            tell(code, close.reasonText());
        } else if (sender.leave(Phase.CLOSING, Phase.ENDING)) {
            tell(codeSent, reasonSent);
            context().close();
        }
    }

    /**
     * What has come makes no sense: nothing further is read of it. The messages that came before it are valid, so they
     * are given to the listener, which may still answer them; then the client is told ({@link #end}). It has two
     * heartbeats to take those answers.
     */
    private void refuse(int code, String reason) {
        if (broken) {
            return;
        }
        broken = true;
        if (sender.isOpen()) {
            pinged = false;
            pulse.schedule(options.heartbeat().toNanos());
            inbox.add(socket, new WebSocketInbox.Answered(() -> onLoop(() -> end(code, reason))));
        } else {
            end(code, reason);
        }
    }

    /** Says why what has come makes no sense, and drops what still comes until the client has read that. */
    private void end(int code, String reason) {
        boolean open = sender.leave(Phase.OPEN, Phase.ENDING);
        if (!open && !sender.leave(Phase.CLOSING, Phase.ENDING)) {
            return;
        }
        tell(code, reason);
        onLoop(() -> {
            WebSocketDecoder known = decoder;
            decoder = null;
            if (known != null && context().pipeline().context(known) != null) {
                context().pipeline().remove(known);
            }
            if (open) {
                writeClose(code, reason);
            }
            endGently();
        });
    }

    private void endGently() {
        context()
                .writeAndFlush(Unpooled.EMPTY_BUFFER)
                .addListener(_ -> Tls.shutdownOutput(context().channel()));
        pulse.schedule(LINGER_NANOS);
        readOn();
    }

    /** Once. */
    private void tell(int code, String reason) {
        if (!told) {
            told = true;
            inbox.add(socket, new WebSocketInbox.Closed(code, reason));
        }
    }

    /** Whether the two sides have agreed on the end. On any thread, when it is closed. */
    @Override
    public boolean endedWell() {
        return endedWell;
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        readOn();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        writePong();
        readOn();
        context.fireChannelWritabilityChanged();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof ChannelInputShutdownEvent) {
            inputEnded = true;
            readOn();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
        if (failure instanceof CorruptedWebSocketFrameException corrupt) {
            String reason = String.valueOf(corrupt.getMessage());
            refuse(
                    corrupt.closeStatus().code(),
                    reason.substring(0, Math.min(reason.length(), LONGEST_REASON)));
        } else {
            context.fireExceptionCaught(failure);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        endedWell = told;
        sender.closed();
        if (loop != null) {
            loop.wheel().remove(pulse);
        }
        dropPong();
        tell(GONE, "");
        context.fireChannelInactive();
    }

    /** Looks after a client that says nothing. */
    private final class Pulse extends TimerWheel.Entry {
        void schedule(long nanos) {
            Loop known = loop;
            if (known != null && sender.phase() != Phase.CLOSED) {
                known.wheel().remove(this);
                known.wheel().add(this, System.nanoTime() + nanos);
            }
        }

        @Override
        public void due() {
            boolean silent = broken || (decoder != null && !decoder.heard() && inbox.hasRoom());
            if (!sender.isOpen() || (silent && pinged)) {
                context().close();
                return;
            }
            pinged = silent;
            if (silent && !broken && context().channel().isWritable()) {
                context().writeAndFlush(Frames.control(Frames.PING, ByteBuffer.allocate(0)));
            }
            schedule(options.heartbeat().toNanos());
        }
    }
}
