package dev.penstock.http.websocket;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** WebSocket frames as a server sends them (RFC 6455, section 5): unmasked, and what they say is checked. */
public final class Frames {
    static final int CONTINUATION = 0;
    static final int TEXT = 1;
    static final int BINARY = 2;
    static final int CLOSE = 8;
    static final int PING = 9;
    static final int PONG = 10;

    /** With the opcode of a message's first frame: the message is compressed (RFC 7692, section 6). */
    static final int COMPRESSED = 0x40;

    /** The most bytes of a message in one frame; longer messages go out in several, so that others can come between. */
    static final int LARGEST = 32_000;

    private static final int MOST_CONTROL = 125;
    private static final int MOST_OF_TWO_BYTES = 0xffff;

    private Frames() {}

    /**
     * Writes a frame.
     *
     * @param opcode with {@link #COMPRESSED}, where it is
     * @param payload at most 65,535 bytes
     */
    static ByteBuf write(ByteBuf out, int opcode, boolean last, ByteBuffer payload) {
        int length = payload.remaining();
        if (length > MOST_OF_TWO_BYTES) {
            throw new IllegalArgumentException("A frame of " + length + " bytes is too large");
        }
        out.writeByte((last ? 0x80 : 0) | opcode);
        if (length <= MOST_CONTROL) {
            out.writeByte(length);
        } else {
            out.writeByte(126).writeShort(length);
        }
        return out.writeBytes(payload);
    }

    static ByteBuf control(int opcode, ByteBuffer payload) {
        return write(Unpooled.buffer(payload.remaining() + 2), opcode, true, payload);
    }

    /**
     * A close frame.
     *
     * @param code 1005 for none
     */
    static ByteBuf close(int code, String reason) {
        if (code == 1005) {
            return control(CLOSE, ByteBuffer.allocate(0));
        }
        byte[] text = reason.getBytes(StandardCharsets.UTF_8);
        return control(
                CLOSE,
                ByteBuffer.allocate(text.length + 2).putShort((short) code).put(text).flip());
    }

    static void checkClose(int code, String reason) {
        boolean known = (code >= 1000 && code <= 1003) || (code >= 1007 && code <= 1014);
        if (!known && (code < 3000 || code > 4999)) {
            throw new IllegalArgumentException(
                    "A WebSocket can't be closed with %d: 1000 to 1003, 1007 to 1014 and 3000 to 4999 can be said"
                            .formatted(code));
        }
        int bytes = utf8(reason).remaining();
        if (bytes > MOST_CONTROL - 2) {
            throw new IllegalArgumentException(
                    "The reason for closing has %d bytes; 123 fit".formatted(bytes));
        }
    }

    /**
     * Text as bytes.
     *
     * @throws IllegalArgumentException if it has half of a surrogate pair
     */
    static ByteBuffer utf8(String text) {
        try {
            return StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
        } catch (CharacterCodingException _) {
            throw new IllegalArgumentException(
                    "The text has half of a surrogate pair, which UTF-8 can't say");
        }
    }
}
