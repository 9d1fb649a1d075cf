package dev.penstock.bench.export;

import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/** Takes bytes and counts them. Not thread-safe. */
final class NullChannel implements WritableByteChannel {
    private long bytes;

    /** How many it took. */
    long bytes() {
        return bytes;
    }

    @Override
    public int write(ByteBuffer source) {
        int length = source.remaining();
        bytes += length;
        source.position(source.limit());
        return length;
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public void close() {}
}
