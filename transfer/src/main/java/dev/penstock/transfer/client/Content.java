package dev.penstock.transfer.client;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The opened bytes of a {@link Source}, read by position. It is for one thread. */
interface Content extends AutoCloseable {
    /** The length of the whole; of a stream, when its end was read. */
    OptionalLong length();

    /** Returns whether all that was read can be read again, in this process or another. */
    boolean isRepeatable();

    /**
     * Keeps what is read from now on until it is {@linkplain #confirmed confirmed}, where it could not be read again.
     *
     * @param directory for a temporary file
     */
    void keep(Path directory) throws IOException;

    /** How many bytes from a position may be read before bytes before it must be confirmed. */
    long room(long position);

    /**
     * Reads bytes at a position, into a buffer of their own.
     *
     * @return nothing at the end
     */
    @Nullable ByteBuffer read(long position, int limit) throws IOException;

    /** Notes that nothing before a position will be read again. */
    void confirmed(long position);

    /** What tells these bytes from others, for a later process; nothing where they can't be read again. */
    Optional<String> identity();

    /** Throws if the bytes are others now than they were when this was opened. */
    void checkUnchanged() throws IOException;

    @Override
    void close() throws IOException;
}
