package dev.penstock.http.websocket;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.ContinuationWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import java.io.ByteArrayOutputStream;
import java.nio.charset.CharacterCodingException;
import org.jspecify.annotations.Nullable;

/**
 * A decoder from frames to messages, or parts of them. What the frames are must be right already, save for their text
 * and their reserved bits. What is compressed stays so, and is inflated by the listener's thread ({@link
 * WebSocketInbox}). For one thread.
 */
final class WebSocketMessages {
    /** The first reserved bit: the message is compressed. */
    private static final int COMPRESSED = 4;

    /** A message that can't be compressed grows by no more than its 256th part, and a few blocks. */
    private static final int GROWTH = 256;

    private static final int BLOCKS = 64;

    private final int mostBytes;
    private final int mostCompressed;
    private final boolean inParts;
    private final boolean deflates;
    private boolean isText;
    private boolean isCompressed;
    private long size;

    /** What there is of the current message; each only while it is needed, so that an idle connection has neither. */
    private @Nullable Utf8Pieces pieces;

    private @Nullable StringBuilder text;
    private @Nullable ByteArrayOutputStream bytes;

    /** A failure that is to end the connection. */
    static final class Refused extends Exception {
        private static final long serialVersionUID = 1L;

        private final int code;

        Refused(int code, String reason) {
            super(reason, null, false, false);
            this.code = code;
        }

        int code() {
            return code;
        }

        String reason() {
            String reason = getMessage();
            return reason == null ? "" : reason;
        }
    }

    /**
     * @param deflates whether messages may be compressed
     */
    WebSocketMessages(WebSocket.Options options, boolean deflates) {
        mostBytes = options.maxMessageBytes();
        mostCompressed = deflates ? mostBytes + mostBytes / GROWTH + BLOCKS : mostBytes;
        inParts = options.inParts();
        this.deflates = deflates;
    }

    /** The largest payload of one frame. */
    int mostInFrame() {
        return mostCompressed;
    }

    /** Checks what is reserved, whatever kind of frame it is. */
    void check(WebSocketFrame frame) throws Refused {
        boolean begins =
                frame instanceof TextWebSocketFrame || frame instanceof BinaryWebSocketFrame;
        int allowed = deflates && begins ? COMPRESSED : 0;
        if ((frame.rsv() & ~allowed) != 0) {
            throw new Refused(1002, "A frame has reserved bits that mean nothing here");
        }
    }

    /** Takes the next frame of data; returns what is complete with it, or null. */
    WebSocketInbox.@Nullable Item take(WebSocketFrame frame) throws Refused {
        if (!(frame instanceof ContinuationWebSocketFrame)) {
            isText = frame instanceof TextWebSocketFrame;
            isCompressed = (frame.rsv() & COMPRESSED) != 0;
            size = 0;
        }
        boolean last = frame.isFinalFragment();
        size += frame.content().readableBytes();
        long counted = inParts ? frame.content().readableBytes() : size;
        if (counted > (isCompressed ? mostCompressed : mostBytes)) {
            throw new Refused(1009, "A message is larger than %d bytes".formatted(mostBytes));
        }
        if (isCompressed) {
            byte[] part = whole(frame.content(), last);
            return part == null ? null : new WebSocketInbox.Compressed(part, isText, last);
        }
        if (isText) {
            return text(frame.content(), last);
        }
        byte[] part = whole(frame.content(), last);
        return part == null ? null : new WebSocketInbox.Binary(part, last);
    }

    /** Bytes of the message that is under way. */
    long heldBytes() {
        return text == null && bytes == null ? 0 : size;
    }

    /** Drops the message that is under way, as there will be no more of it. */
    void drop() {
        text = null;
        bytes = null;
    }

    private WebSocketInbox.@Nullable Item text(ByteBuf content, boolean last) throws Refused {
        String part = decode(content, last);
        if (inParts) {
            return new WebSocketInbox.Text(part, last);
        }
        StringBuilder before = text;
        if (last) {
            text = null;
            return new WebSocketInbox.Text(
                    before == null ? part : before.append(part).toString(), true);
        }
        text = before == null ? new StringBuilder(part) : before.append(part);
        return null;
    }

    private String decode(ByteBuf content, boolean last) throws Refused {
        Utf8Pieces known = pieces == null ? new Utf8Pieces() : pieces;
        pieces = last ? null : known;
        try {
            return known.decode(content.nioBuffer(), last);
        } catch (CharacterCodingException _) {
            throw new Refused(1007, "A text is not UTF-8");
        }
    }

    /** The bytes to give to the listener, of all frames of the message unless it is given in parts; null until then. */
    private byte @Nullable [] whole(ByteBuf content, boolean last) {
        byte[] part = new byte[content.readableBytes()];
        content.getBytes(content.readerIndex(), part);
        ByteArrayOutputStream before = bytes;
        if (inParts || (last && before == null)) {
            return part;
        }
        ByteArrayOutputStream all = before == null ? new ByteArrayOutputStream() : before;
        all.writeBytes(part);
        bytes = last ? null : all;
        return last ? all.toByteArray() : null;
    }
}
