package dev.penstock.http;

import java.io.Flushable;
import java.io.IOException;
import java.nio.ByteBuffer;
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
