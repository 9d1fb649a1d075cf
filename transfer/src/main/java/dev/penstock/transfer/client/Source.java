package dev.penstock.transfer.client;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The bytes that a client sends.
 *
 * <p>A file may be sent any number of times, and an upload of it is resumed by a later process. A stream is read
 * once, on the thread that calls {@code put}; it is resumed within the call, for which its last bytes are kept in a
 * temporary file of at most {@value StreamSource#REPLAY_BYTES} bytes until the server has confirmed them. Who has
 * opened a stream closes it.
 */
public abstract sealed class Source permits FileSource, StreamSource {
    Source() {}

    /** A file, read by position; it must not change meanwhile. */
    public static Source file(Path path) {
        return new FileSource(path);
    }

    /** A stream of unknown length. */
    public static Source stream(InputStream stream) {
        return new StreamSource(StreamSource.reading(stream), OptionalLong.empty());
    }

    /**
     * A stream of a length that is known.
     *
     * @param length in bytes; as many are read, and fewer are an error
     */
    public static Source stream(InputStream stream, long length) {
        if (length < 0) {
            throw new IllegalArgumentException("A stream can't have " + length + " bytes");
        }
        return new StreamSource(StreamSource.reading(stream), OptionalLong.of(length));
    }

    /**
     * Generated chunks.
     *
     * @param chunks of any size, taken one by one as they are sent; none may be changed after it was given
     */
    public static Source chunks(Iterator<ByteBuffer> chunks) {
        return new StreamSource(StreamSource.taking(chunks), OptionalLong.empty());
    }

    /** Opens it. */
    abstract Content open() throws IOException;

    /** The name that it has by itself. */
    abstract Optional<String> name();
}
