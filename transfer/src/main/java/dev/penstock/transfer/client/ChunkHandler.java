package dev.penstock.transfer.client;

import java.io.IOException;
import java.nio.ByteBuffer;

/** A handler of a body, given chunk by chunk in order, on the thread that has called {@code get}. */
@FunctionalInterface
public interface ChunkHandler {
    /**
     * Takes a chunk.
     *
     * @param chunk read-only, of any size, to be used during this call only
     * @throws IOException to end the transfer, which is not tried again
     */
    void accept(ByteBuffer chunk) throws IOException;
}
