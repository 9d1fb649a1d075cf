package dev.penstock.transfer.client.resume;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The last bytes of a stream, kept in a temporary file of a fixed size until the server has confirmed them.
 *
 * <p>It is a ring: the byte at a position of the stream lies at that position modulo its size. It is for one thread,
 * and ends with its process.
 */
public final class ReplayFile implements AutoCloseable {
    private final FileChannel channel;
    private final long capacity;
    private long start;
    private long end;

    /** Makes a file in a directory, which is made as well where there is none. */
    public ReplayFile(Path directory, long capacity) throws IOException {
        Files.createDirectories(directory);
        Path path = Files.createTempFile(directory, "replay-", ".tmp");
        this.capacity = capacity;
        channel =
                FileChannel.open(
                        path,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.DELETE_ON_CLOSE);
    }

    /** The position of the stream behind the last byte that was added. */
    public long end() {
        return end;
    }

    /** The position of the first byte that is still there. */
    public long start() {
        return start;
    }

    /** How many bytes can be added. */
    public long room() {
        return capacity - (end - start);
    }

    /** Adds bytes, of which the buffer's position stays as it is. */
    public void add(ByteBuffer bytes) throws IOException {
        if (bytes.remaining() > room()) {
            throw new IllegalArgumentException(
                    "There is room for " + room() + " bytes, and these are " + bytes.remaining());
        }
        ByteBuffer rest = bytes.duplicate();
        while (rest.hasRemaining()) {
            long at = end % capacity;
            int count = (int) Math.min(rest.remaining(), capacity - at);
            ByteBuffer slice = rest.slice(rest.position(), count);
            while (slice.hasRemaining()) {
                at += channel.write(slice, at);
            }
            rest.position(rest.position() + count);
            end += count;
        }
    }

    /** Reads up to so many bytes from a position that is still there. */
    public ByteBuffer read(long position, int limit) throws IOException {
        if (position < start || position > end) {
            throw new IllegalArgumentException(
                    "Position " + position + " is not kept: " + start + " to " + end);
        }
        long at = position % capacity;
        int count = (int) Math.min(Math.min(limit, end - position), capacity - at);
        ByteBuffer bytes = ByteBuffer.allocate(count);
        while (bytes.hasRemaining()) {
            int read = channel.read(bytes, at + bytes.position());
            if (read < 0) {
                throw new IOException("The file of the stream's last bytes is too short");
            }
        }
        return bytes.flip();
    }

    /** Forgets what lies before a position. */
    public void release(long position) {
        start = Math.clamp(position, start, end);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
