package dev.penstock.http.websocket;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.websocketx.ContinuationWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import java.io.ByteArrayOutputStream;
import java.nio.charset.CharacterCodingException;
import org.jspecify.annotations.Nullable;

/**
 * Makes messages, or parts of them, of frames. What the frames are must be right already, save for their text. For one
 * thread.
 */
final class WebSocketMessages {
    private final int mostBytes;
    private final boolean inParts;
    private boolean isText;
    private long size;

    /** What there is of the current message; each only while it is needed, so that an idle connection has neither. */
    private @Nullable Utf8Pieces pieces;

    private @Nullable StringBuilder text;
    private @Nullable ByteArrayOutputStream bytes;

    /** What is to end the connection. */
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

    WebSocketMessages(WebSocket.Options options) {
        mostBytes = options.maxMessageBytes();
        inParts = options.inParts();
    }

    /** Takes the next frame of data; returns what is complete with it, or null. */
    WebSocketInbox.@Nullable Item take(WebSocketFrame frame) throws Refused {
        if (!(frame instanceof ContinuationWebSocketFrame)) {
            isText = frame instanceof TextWebSocketFrame;
            size = 0;
        }
        boolean last = frame.isFinalFragment();
        size += frame.content().readableBytes();
        if (size > mostBytes && !inParts) {
            throw new Refused(1009, "A message is larger than %d bytes".formatted(mostBytes));
        }
        return isText ? text(frame.content(), last) : binary(frame.content(), last);
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

    private WebSocketInbox.@Nullable Item binary(ByteBuf content, boolean last) {
        byte[] part = new byte[content.readableBytes()];
        content.getBytes(content.readerIndex(), part);
        ByteArrayOutputStream before = bytes;
        if (inParts || (last && before == null)) {
            return new WebSocketInbox.Binary(part, last);
        }
        ByteArrayOutputStream all = before == null ? new ByteArrayOutputStream() : before;
        all.writeBytes(part);
        bytes = last ? null : all;
        return last ? new WebSocketInbox.Binary(all.toByteArray(), true) : null;
    }
}
