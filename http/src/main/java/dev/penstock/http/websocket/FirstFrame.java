package dev.penstock.http.websocket;

import java.nio.ByteBuffer;

/**
 * The first frame of a message, which says whether the message is compressed.
 *
 * @param opcode with {@link Frames#COMPRESSED}, where it is
 * @param payload read by nobody but by duplicates
 */
record FirstFrame(int opcode, ByteBuffer payload) {
    /** Smaller messages hardly become smaller still. */
    private static final int LEAST_TO_COMPRESS = 48;

    /**
     * Compresses the first part of a message, and with it the message, where that makes it smaller.
     *
     * @param part at most {@link Frames#LARGEST} bytes
     * @param windowBits 0 for none
     * @param last whether it is the whole message
     */
    static FirstFrame of(int opcode, ByteBuffer part, int windowBits, boolean last) {
        if (windowBits > 0 && part.remaining() >= LEAST_TO_COMPRESS) {
            ByteBuffer compressed = MessageDeflater.compress(part.duplicate(), windowBits, last);
            if (compressed.remaining() < part.remaining()) {
                return new FirstFrame(opcode | Frames.COMPRESSED, compressed);
            }
        }
        return new FirstFrame(opcode, part);
    }

    boolean isCompressed() {
        return (opcode & Frames.COMPRESSED) != 0;
    }
}
