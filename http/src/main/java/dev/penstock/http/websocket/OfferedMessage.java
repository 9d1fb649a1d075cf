package dev.penstock.http.websocket;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A message of one frame that one WebSocket is offered, or many: its bytes, and what they are compressed to, which is
 * done once for each window. For one thread.
 */
final class OfferedMessage {
    private final int opcode;
    private final ByteBuffer bytes;

    /** At the base-2 logarithm of a window: the frame for those who have that one. */
    private final @Nullable FirstFrame[] frames = new FirstFrame[MessageDeflate.MOST_BITS + 1];

    /**
     * A message of all bytes that remain in a buffer, whose position stays.
     *
     * @throws IllegalArgumentException if it does not fit into one frame
     */
    OfferedMessage(int opcode, ByteBuffer message) {
        if (message.remaining() > Frames.LARGEST) {
            throw new IllegalArgumentException(
                    "A message of %d bytes can't be offered, %d at most: send it from a thread"
                            .formatted(message.remaining(), Frames.LARGEST));
        }
        this.opcode = opcode;
        bytes = message.slice();
    }

    /**
     * Returns it as it is sent.
     *
     * @param windowBits 0 for no compression
     */
    FirstFrame frame(int windowBits) {
        FirstFrame known = frames[windowBits];
        if (known == null) {
            known = FirstFrame.of(opcode, bytes, windowBits, true);
            frames[windowBits] = known;
        }
        return known;
    }
}
