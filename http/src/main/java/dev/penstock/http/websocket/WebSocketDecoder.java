package dev.penstock.http.websocket;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.http.websocketx.WebSocket13FrameDecoder;
import io.netty.handler.codec.http.websocketx.WebSocketDecoderConfig;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Netty's decoder of WebSocket frames, which goes no further while what it has decoded is enough: what was read at once
 * may be thousands of tiny messages. The rest stays as it came. On the connection's event loop.
 */
final class WebSocketDecoder extends WebSocket13FrameDecoder {
    private final BooleanSupplier wanted;
    private @Nullable ChannelHandlerContext context;
    private boolean behind;
    private boolean heard;

    /**
     * @param wanted whether another frame can be dealt with
     */
    WebSocketDecoder(int mostBytes, BooleanSupplier wanted) {
        super(
                WebSocketDecoderConfig.newBuilder()
                        .maxFramePayloadLength(mostBytes)
                        .expectMaskedFrames(true)
                        .allowMaskMismatch(false)
                        .allowExtensions(false)
                        .closeOnProtocolViolation(false)
                        .withUTF8Validator(false)
                        .build());
        this.wanted = wanted;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) throws Exception {
        this.context = context;
        super.handlerAdded(context);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
        // A large frame may take its time; that it comes is a sign of life.
        heard |= message instanceof ByteBuf bytes && bytes.isReadable();
        super.channelRead(context, message);
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out)
            throws Exception {
        behind = !wanted.getAsBoolean();
        if (!behind) {
            super.decode(context, in, out);
        }
    }

    /** Goes on with what was read before, if it had to stop. */
    void goOn() throws Exception {
        if (behind) {
            behind = false;
            channelRead(Objects.requireNonNull(context, "added"), Unpooled.EMPTY_BUFFER);
        }
    }

    /** The client's end does not end what it has sent before. */
    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) throws Exception {
        if (event instanceof ChannelInputShutdownEvent) {
            context.fireUserEventTriggered(event);
        } else {
            super.userEventTriggered(context, event);
        }
    }

    /** Whether anything has come since this was asked before. */
    boolean heard() {
        boolean since = heard;
        heard = false;
        return since;
    }
}
