package dev.penstock.format;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.Flushable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/** Keeps what is written, in portions as small as a channel may take; fails where it is told to. */
final class MemoryChannel implements WritableByteChannel, Flushable {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final int portion;
    long failAt = Long.MAX_VALUE;
    int flushes;
    int sizeAtFirstFlush = -1;
    boolean closed;

    MemoryChannel() {
        this(Integer.MAX_VALUE);
    }

    MemoryChannel(int portion) {
        this.portion = portion;
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        int count = Math.min(portion, source.remaining());
        if (bytes.size() + count > failAt) {
            throw new IOException("the client has gone");
        }
        byte[] part = new byte[count];
        source.get(part);
        bytes.writeBytes(part);
        return count;
    }

    @Override
    public void flush() {
        flushes++;
        if (sizeAtFirstFlush < 0) {
            sizeAtFirstFlush = bytes.size();
        }
    }

    @Override
    public boolean isOpen() {
        return !closed;
    }

    @Override
    public void close() {
        closed = true;
    }

    byte[] bytes() {
        return bytes.toByteArray();
    }

    String text() {
        return bytes.toString(UTF_8);
    }

    static String written(RowFormat format, MemoryCursor rows) throws IOException {
        MemoryChannel channel = new MemoryChannel();
        format.write(rows, channel);
        return channel.text();
    }
}
