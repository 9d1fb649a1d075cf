package dev.penstock.snapshot.file;

import java.lang.foreign.MemorySegment;

/**
 * The data of a file that is mapped, from its beginning to its directory. The mapping ends when nobody can reach a
 * segment of it any more. Thread-safe.
 *
 * @param all the file up to its directory
 */
record MappedSegments(MemorySegment all) {
    /** Returns a part. */
    MemorySegment segment(long start, long bytes) throws RefusedFileException {
        if (start < FileHeader.BYTES || bytes < 0 || bytes > all.byteSize() - start) {
            throw new RefusedFileException(
                    "is damaged: its directory names %,d bytes at %,d".formatted(bytes, start));
        }
        return all.asSlice(start, bytes);
    }
}
