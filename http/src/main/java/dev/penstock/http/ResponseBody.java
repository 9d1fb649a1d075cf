package dev.penstock.http;

import java.io.EOFException;
import java.io.Flushable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;

/**
 * The body of a response: bytes with back-pressure. {@link #write} takes everything that it is given, and blocks while
 * the client is slower than the writer; what is on its way is bounded by the server's setting. For one thread at a
 * time.
 */
public interface ResponseBody extends WritableByteChannel, Flushable {
    /**
     * Takes all remaining bytes of {@code source}; the buffer is free for use again afterwards.
     *
     * @throws IOException if the client has gone, or was thrown out, or if the request is a HEAD whose head has
     *     been sent
     */
    @Override
    int write(ByteBuffer source) throws IOException;

    /**
     * Writes bytes of a file, at the client's speed, through a buffer of 32 KiB at most.
     *
     * @param file not closed; its position stays
     * @throws EOFException if the file ends before
     * @throws IOException as {@link #write} does, and if the file can't be read
     */
    default void transferFrom(FileChannel file, long position, long count) throws IOException {
        ByteBuffer step = ByteBuffer.allocate(Math.clamp(count, 0, 32 * 1024));
        for (long at = position; at < position + count; ) {
            step.clear().limit((int) Math.min(step.capacity(), position + count - at));
            int read = file.read(step, at);
            if (read < 0) {
                throw new EOFException(
                        "The file ends at byte %d, before %d".formatted(at, position + count));
            }
            write(step.flip());
            at += read;
        }
    }

    /**
     * Writes bytes of a file as the end of the body. Where they are sent as they are, and not in a servlet container,
     * this returns at once, and no thread waits for the client (over HTTP/1.1 without TLS, the operating system sends
     * them by itself); else it is what {@link #transferFrom} and {@link #close} are. A file that becomes shorter
     * meanwhile breaks the response off.
     *
     * @param file not closed; it may be shared by responses, and must stay open until {@code whenRead} has run
     * @param whenRead run once, when nothing more is read of the file: all of it has left, the response is broken, or
     *     this throws; on any thread, and must not block
     * @throws IOException as {@link #transferFrom} does
     */
    default void transferLast(FileChannel file, long position, long count, Runnable whenRead)
            throws IOException {
        try {
            transferFrom(file, position, count);
            close();
        } finally {
            whenRead.run();
        }
    }

    /** Sends the head, if that has not been done, and everything written so far. */
    @Override
    void flush() throws IOException;

    /**
     * Ends the body: nothing more can be written. What is left, and the end, go out when the handler has returned, so
     * that an exception on its way through a try-with-resources still breaks the response. Closing twice does no harm.
     */
    @Override
    void close() throws IOException;
}
