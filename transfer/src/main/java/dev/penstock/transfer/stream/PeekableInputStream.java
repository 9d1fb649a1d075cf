package dev.penstock.transfer.stream;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Objects;

/**
 * A stream whose next bytes can be looked at before they are read: what they are decides who reads them. It holds what
 * was looked at and not read, and nothing else. Closing it closes the stream below. For one thread at a time.
 */
public final class PeekableInputStream extends InputStream {
    private final InputStream in;
    private final int maxPeek;
    private byte[] held = new byte[0];
    private int from;
    private int to;

    /**
     * A stream over another.
     *
     * @param maxPeek the most bytes that can be looked at, which are held then; at least 1
     */
    public PeekableInputStream(InputStream in, int maxPeek) {
        if (maxPeek < 1) {
            throw new IllegalArgumentException("At least 1 byte can be looked at, not " + maxPeek);
        }
        this.in = Objects.requireNonNull(in, "in");
        this.maxPeek = maxPeek;
    }

    /**
     * Returns the next bytes, which are still to be read. Waits until there are so many, or the stream ends.
     *
     * @param count 0 to the most that can be looked at
     * @return fewer only if the stream has no more; the caller's own
     */
    public byte[] peek(int count) throws IOException {
        if (count < 0 || count > maxPeek) {
            throw new IllegalArgumentException(
                    "0 to %d bytes can be looked at, as was said at the start, not %d"
                            .formatted(maxPeek, count));
        }
        if (to - from < count) {
            makeRoom(count);
            to += in.readNBytes(held, to, count - (to - from));
        }
        return Arrays.copyOfRange(held, from, from + Math.min(count, to - from));
    }

    private void makeRoom(int count) {
        byte[] target = held.length < count ? new byte[count] : held;
        System.arraycopy(held, from, target, 0, to - from);
        held = target;
        to -= from;
        from = 0;
    }

    @Override
    public int read() throws IOException {
        return from < to ? held[from++] & 0xff : in.read();
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, target.length);
        if (from == to) {
            return in.read(target, offset, length);
        }
        int count = Math.min(length, to - from);
        System.arraycopy(held, from, target, offset, count);
        from += count;
        return count;
    }

    @Override
    public long transferTo(OutputStream out) throws IOException {
        int first = to - from;
        out.write(held, from, first);
        from = to;
        return first + in.transferTo(out);
    }

    @Override
    public int available() throws IOException {
        return (int) Math.min(Integer.MAX_VALUE, (long) to - from + in.available());
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
