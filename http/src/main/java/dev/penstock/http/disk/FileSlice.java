package dev.penstock.http.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/**
 * A part of an open file that a response sends.
 *
 * @param file not closed by who sends it
 * @param residency what is known of the file's bytes
 * @param isShared whether the open file is, or may be, sent to others too
 * @param position of the first byte
 * @param count of the bytes
 * @param whenRead run once, when nothing more is read of the file; on any thread, and must not block
 */
public record FileSlice(
        FileChannel file,
        Residency residency,
        boolean isShared,
        long position,
        long count,
        Runnable whenRead) {
    /** A part of a file of which nothing is known, and which is this response's own. */
    public FileSlice(FileChannel file, long position, long count, Runnable whenRead) {
        this(file, Residency.UNKNOWN, false, position, count, whenRead);
    }

    /** The position behind the last byte. */
    public long end() {
        return position + count;
    }

    /**
     * Reads bytes at a position; -1 at the end of the file. Blocks.
     *
     * <p>An interrupt of the thread that reads a file closes it, and handlers are interrupted: a file that others are
     * sent too is read by a thread that nobody interrupts, while the handler's waits for it.
     */
    public int read(ByteBuffer target, long at) throws IOException {
        return isShared && Thread.currentThread().isVirtual()
                ? FileReaders.read(file, target, at)
                : file.read(target, at);
    }
}
