package dev.penstock.http.websocket;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.websocketx.WebSocket13FrameDecoder;
import io.netty.handler.codec.http.websocketx.WebSocketDecoderConfig;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Netty's decoder of WebSocket frames, fed with what comes instead of standing in a pipeline, so that it serves a
 * stream of HTTP/2 as well. It goes no further while what it has decoded is enough: what was read at once may be
 * thousands of tiny messages. The rest stays as it came. For the event loop.
 */
final class WebSocketDecoder extends WebSocket13FrameDecoder {
    /** From so many bytes on that were decoded, the room of what is held is used again. */
    private static final int DISCARD = 16 * 1024;

    private final BooleanSupplier wanted;
    private final Consumer<WebSocketFrame> frames;

    /** What is not decoded yet; null while there is nothing. */
    private @Nullable ByteBuf held;

    private boolean decoding;
    private boolean heard;

    /**
     * @param mostBytes the largest payload of a frame
     * @param extended whether frames may have reserved bits
     * @param wanted whether another frame can be dealt with
     * @param frames takes over each frame
     */
    WebSocketDecoder(
            int mostBytes,
            boolean extended,
            BooleanSupplier wanted,
            Consumer<WebSocketFrame> frames) {
        super(
                WebSocketDecoderConfig.newBuilder()
                        .maxFramePayloadLength(mostBytes)
                        .expectMaskedFrames(true)
                        .allowMaskMismatch(false)
                        .allowExtensions(extended)
                        .closeOnProtocolViolation(false)
                        .withUTF8Validator(false)
                        .build());
        this.wanted = wanted;
        this.frames = frames;
    }

    /**
     * Takes over bytes, and decodes what is wanted.
     *
     * @throws Exception if they break the protocol
     */
    void take(ChannelHandlerContext context, ByteBuf bytes) throws Exception {
        if (!bytes.isReadable()) {
            bytes.release();
            return;
        }
        // A large frame may take its time; that it comes is a sign of life.
        heard = true;
        ByteBuf before = held;
        held = before == null ? bytes : MERGE_CUMULATOR.cumulate(context.alloc(), before, bytes);
        goOn(context);
    }

    /** Goes on with what came before, if it had to stop. */
    void goOn(ChannelHandlerContext context) throws Exception {
        if (decoding || held == null) {
            return;
        }
        decoding = true;
        List<Object> decoded = new ArrayList<>(1);
        try {
            boolean more = true;
            while (more && wanted.getAsBoolean()) {
                more = decodeNext(context, decoded);
            }
        } finally {
            decoding = false;
            tidy();
        }
    }

    /** Returns whether there may be more; a frame may have closed this. */
    private boolean decodeNext(ChannelHandlerContext context, List<Object> decoded)
            throws Exception {
        ByteBuf bytes = held;
        if (bytes == null || !bytes.isReadable()) {
            return false;
        }
        int before = bytes.readableBytes();
        decode(context, bytes, decoded);
        boolean moved = bytes.readableBytes() < before;
        for (Object frame : decoded) {
            frames.accept((WebSocketFrame) frame);
        }
        decoded.clear();
        return moved;
    }

    private void tidy() {
        ByteBuf bytes = held;
        if (bytes == null) {
            return;
        }
        if (!bytes.isReadable()) {
            release();
        } else if (bytes.readerIndex() >= DISCARD && bytes.refCnt() == 1) {
            bytes.discardReadBytes();
        }
    }

    /** Bytes that have come and are not decoded. */
    int heldBytes() {
        return held == null ? 0 : held.readableBytes();
    }

    /** Drops what is not decoded. */
    void release() {
        ByteBuf bytes = held;
        held = null;
        if (bytes != null) {
            bytes.release();
        }
    }

    /** Returns whether anything has come since this was asked before. */
    boolean heard() {
        boolean since = heard;
        heard = false;
        return since;
    }
}
