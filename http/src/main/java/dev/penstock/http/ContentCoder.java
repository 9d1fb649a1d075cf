package dev.penstock.http;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A coding in which responses can be sent to clients that accept it, beside gzip, which the server has: the SPI of
 * {@code penstock-http-compression}, or of whatever else compresses. Found as a service ({@link
 * java.util.ServiceLoader}) when a server is built, unless {@code ServerBuilder.contentCoders} names others.
 * Thread-safe.
 */
public interface ContentCoder {
    /** The name of the coding, as {@code Accept-Encoding} has it: {@code zstd}. */
    String coding();

    /**
     * Returns whether it can be used here: a native library may be missing on this platform. Asked once, at the start.
     */
    default boolean isAvailable() {
        return true;
    }

    /**
     * The most memory that one encoder holds while it is open, on the heap or outside, in bytes. The server has no more
     * of them at once than its memory for encoders allows; the next response is sent in another coding, at last gzip.
     */
    int encoderBytes();

    /** Opens an encoder for one response. The server closes it. */
    Encoder open();

    /** A response that is being encoded. For one thread at a time. */
    interface Encoder extends AutoCloseable {
        /**
         * Encodes all that remains in a buffer, at most 32 KiB.
         *
         * @throws IOException what the output throws
         */
        void write(ByteBuffer source, Output output) throws IOException;

        /** Brings out all that was written so far, so that it can be decoded. */
        void flush(Output output) throws IOException;

        /** Brings out the rest, and the end. Nothing is written behind it. */
        void finish(Output output) throws IOException;

        /** Gives back what it holds. Twice does no harm. */
        @Override
        void close();
    }

    /** The destination of encoded bytes. */
    @FunctionalInterface
    interface Output {
        /**
         * Takes all that remains in a buffer, which is the encoder's again when it returns. Blocks while the client is
         * slow.
         */
        void put(ByteBuffer bytes) throws IOException;
    }
}
