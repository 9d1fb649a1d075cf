package dev.penstock.transfer.stream;

import dev.penstock.transfer.TransferException;
import java.nio.ByteBuffer;

/** A limit on the bytes of a stream. What is written beyond it is not passed on, and what is read beyond fails. */
final class LengthLimit implements Stage {
    private final long maxBytes;
    private long left;

    LengthLimit(long maxBytes) {
        if (maxBytes < 0) {
            throw new IllegalArgumentException(
                    "A stream can be limited to 0 bytes or more, not to " + maxBytes);
        }
        this.maxBytes = maxBytes;
        left = maxBytes;
    }

    /** One more than there may be, which tells the end from too much. */
    @Override
    public int mayRead(int wanted) {
        return left < wanted ? (int) left + 1 : wanted;
    }

    @Override
    public int mayWrite(int wanted) {
        if (wanted > left) {
            throw exceeded();
        }
        return wanted;
    }

    @Override
    public void passed(ByteBuffer bytes) {
        if (bytes.remaining() > left) {
            // Whoever goes on reading must not get what lies behind.
            left = 0;
            throw exceeded();
        }
        left -= bytes.remaining();
    }

    private TransferException exceeded() {
        return new TransferException(
                TransferException.Kind.TOO_LARGE,
                "The stream has more than %d bytes, which is its limit: raise it, or send less"
                        .formatted(maxBytes));
    }
}
