package dev.penstock.http.websocket;

import com.jcraft.jzlib.Deflater;
import com.jcraft.jzlib.GZIPException;
import com.jcraft.jzlib.JZlib;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * A compressor of messages' parts, each for itself: no part refers to one before it, not even to one of the same
 * message, so that a compressor is needed for as long as a part is compressed, and none is held while a client is slow.
 * A few of them serve all WebSockets of the process: as many are kept as there are processors, 85 KiB of heap each.
 *
 * <p>The deflater is the one of gzipped responses, and its numbers are the same ({@code
 * docs/decisions/compression.md}). It forgets what it has seen by a full flush, after which nothing refers to what was
 * before it.
 */
final class MessageDeflater {
    private static final int LEVEL = 3;
    private static final int MEMORY_LEVEL = 5;

    /** The end of a flush: an empty block, which a message does not have at its end (RFC 7692, section 7.2.1). */
    private static final int TAIL = 4;

    private static final byte[] EMPTY = {0};

    /** A part, and what its blocks may have besides if it can't be compressed. */
    private static final int MOST = Frames.LARGEST + 1024;

    private static final BlockingQueue<MessageDeflater> IDLE =
            new ArrayBlockingQueue<>(Runtime.getRuntime().availableProcessors());

    private final Deflater deflater;
    private final byte[] output = new byte[MOST];

    /** Where what is not in an array is copied. */
    private byte[] input = EMPTY;

    private MessageDeflater(int windowBits) {
        try {
            deflater = new Deflater(LEVEL, windowBits, MEMORY_LEVEL, JZlib.W_NONE);
        } catch (GZIPException failure) {
            throw new IllegalStateException("Deflater refuses its settings", failure);
        }
    }

    /**
     * Compresses a part of a message, at most {@link Frames#LARGEST} bytes, all that remain in it. Never waits. On any
     * thread.
     *
     * @param last whether the message ends with it
     */
    static ByteBuffer compress(ByteBuffer part, int windowBits, boolean last) {
        if (!part.hasRemaining()) {
            return ByteBuffer.wrap(EMPTY);
        }
        boolean usual = windowBits == MessageDeflate.MOST_BITS;
        MessageDeflater known = usual ? IDLE.poll() : null;
        MessageDeflater used =
                known == null
                        ? new MessageDeflater(Math.max(windowBits, MessageDeflate.LEAST_BITS))
                        : known;
        ByteBuffer compressed = used.compress(part, last);
        if (usual) {
            // One that fails is in an unknown state, and does not come so far.
            var _ = IDLE.offer(used);
        }
        return compressed;
    }

    private ByteBuffer compress(ByteBuffer part, boolean last) {
        int size = part.remaining();
        if (part.hasArray()) {
            deflater.setInput(part.array(), part.arrayOffset() + part.position(), size, false);
            part.position(part.limit());
        } else {
            input = input.length < size ? new byte[Frames.LARGEST] : input;
            part.get(input, 0, size);
            deflater.setInput(input, 0, size, false);
        }
        deflater.setOutput(output, 0, MOST);
        int result = deflater.deflate(JZlib.Z_FULL_FLUSH);
        int count = MOST - deflater.getAvailOut();
        int left = deflater.getAvailIn();
        // The caller's array is not to be kept.
        deflater.setInput(EMPTY, 0, 0, false);
        if (result != JZlib.Z_OK || deflater.getAvailOut() == 0 || left > 0) {
            throw new IllegalStateException(
                    "Deflater failed with %d on %d bytes".formatted(result, size));
        }
        return ByteBuffer.wrap(Arrays.copyOf(output, last ? count - TAIL : count));
    }
}
