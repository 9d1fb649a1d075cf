package dev.penstock.bench.transfer.cell;

import java.io.Serializable;

/**
 * An operation on a whole body or in chunks.
 *
 * @param chunkBytes 0 for a whole body
 */
record Cell(Operation operation, int chunkBytes) implements Serializable {
    static Cell whole(Operation operation) {
        return new Cell(operation, 0);
    }

    boolean isInChunks() {
        return chunkBytes > 0;
    }

    /** Names a number of bytes of a chunk. */
    static String size(int bytes) {
        return bytes < 1024 * 1024
                ? bytes / 1024 + " KiB"
                : bytes % (1024 * 1024) == 0
                        ? bytes / 1024 / 1024 + " MiB"
                        : bytes / 1_000_000 + " MB";
    }

    @Override
    public String toString() {
        return isInChunks() ? "chunks of " + size(chunkBytes) : "whole";
    }
}
