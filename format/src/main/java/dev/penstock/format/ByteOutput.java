package dev.penstock.format;

import java.io.Flushable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/**
 * A buffer of bytes in front of a channel, of one fixed size. Encoders write into {@link #array} between {@link
 * #position} and the end after asking for room; whatever does not fit is handed to the channel first. Nothing is
 * allocated after the constructor.
 */
final class ByteOutput {
    /**
     * Large enough that a call to the channel costs nothing beside copying, small enough for 128 in a heap of 64 MB.
     */
    static final int CAPACITY = 16 * 1024;

    private final WritableByteChannel channel;
    private final byte[] array = new byte[CAPACITY];
    private final ByteBuffer view = ByteBuffer.wrap(array);
    private int position;

    ByteOutput(WritableByteChannel channel) {
        this.channel = channel;
    }

    /** The array, for encoders that write on their own after {@link #room}. */
    byte[] array() {
        return array;
    }

    /** Makes room for {@code bytes}, at most {@link #CAPACITY}, and returns where they go. */
    int room(int bytes) throws IOException {
        if (CAPACITY - position < bytes) {
            drain();
        }
        return position;
    }

    /** Says up to where the array has been written after {@link #room}. */
    void advanceTo(int end) {
        position = end;
    }

    void write(int oneByte) throws IOException {
        if (position == CAPACITY) {
            drain();
        }
        array[position++] = (byte) oneByte;
    }

    void write(byte[] source) throws IOException {
        write(source, 0, source.length);
    }

    void write(byte[] source, int offset, int length) throws IOException {
        int from = offset;
        int left = length;
        while (left > CAPACITY - position) {
            int part = CAPACITY - position;
            System.arraycopy(source, from, array, position, part);
            position += part;
            from += part;
            left -= part;
            drain();
        }
        System.arraycopy(source, from, array, position, left);
        position += left;
    }

    /** Hands everything to the channel. */
    void drain() throws IOException {
        view.limit(position).position(0);
        while (view.hasRemaining()) {
            channel.write(view);
        }
        position = 0;
        view.clear();
    }

    /** Hands everything to the channel, and has the channel send it where it can. */
    void flush() throws IOException {
        drain();
        if (channel instanceof Flushable flushable) {
            flushable.flush();
        }
    }

    /** The rest of the array as a buffer, for a charset encoder; {@link #took} says when it is done. */
    ByteBuffer rest() {
        return view.limit(CAPACITY).position(position);
    }

    /** Takes what was put into {@link #rest}. */
    void took() {
        position = view.position();
    }
}
