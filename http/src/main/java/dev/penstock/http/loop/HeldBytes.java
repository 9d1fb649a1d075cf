package dev.penstock.http.loop;

import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a body that have come and were not read, in their order. Small pieces go together: each may keep alive a
 * far larger buffer that it was read with. Not thread-safe.
 */
public final class HeldBytes {
    private static final int PIECE = 4 * 1024;

    private final Queue<ByteBuf> held = new ArrayDeque<>();
    private int bytes;

    /** The last of what is held, if small pieces can be added to it. */
    private @Nullable ByteBuf pieces;

    /** Returns how many there are. */
    public int bytes() {
        return bytes;
    }

    public boolean isEmpty() {
        return bytes == 0;
    }

    /**
     * Takes over a buffer that is not empty.
     *
     * @throws OutOfMemoryError if there is no memory for a copy of it; it is released then, and not held
     */
    public void add(ByteBuf content) {
        int count = content.readableBytes();
        if (count >= PIECE / 4) {
            held.add(count < keptAlive(content) / 4 ? copied(content) : content);
            pieces = null;
        } else {
            addToPieces(content);
        }
        bytes += count;
    }

    private void addToPieces(ByteBuf content) {
        try {
            ByteBuf together = pieces;
            if (together == null || together.writableBytes() < content.readableBytes()) {
                together = content.alloc().buffer(PIECE, PIECE);
                pieces = together;
                held.add(together);
            }
            together.writeBytes(content);
        } finally {
            content.release();
        }
    }

    private static int keptAlive(ByteBuf content) {
        ByteBuf whole = content.unwrap();
        return whole == null ? content.capacity() : whole.capacity();
    }

    private static ByteBuf copied(ByteBuf content) {
        try {
            return content.copy();
        } finally {
            content.release();
        }
    }

    /** Gives away the first bytes, so many at most, in buffers that the caller releases. */
    public List<ByteBuf> take(int most) {
        List<ByteBuf> taken = new ArrayList<>(held.size());
        int left = Math.min(most, bytes);
        bytes -= left;
        while (left > 0) {
            ByteBuf first = held.element();
            int count = first.readableBytes();
            if (count > left) {
                taken.add(first.readRetainedSlice(left));
                return taken;
            }
            taken.add(held.remove());
            left -= count;
        }
        if (held.isEmpty()) {
            pieces = null;
        }
        return taken;
    }
}
