package dev.penstock.http.disk;

import java.nio.channels.FileChannel;

/**
 * A part of an open file that a response sends.
 *
 * @param file not closed by who sends it, and perhaps sent to others too
 * @param residency what is known of the file's bytes
 * @param position of the first byte
 * @param count of the bytes
 * @param whenRead run once, when nothing more is read of the file; on any thread, and must not block
 */
public record FileSlice(
        FileChannel file, Residency residency, long position, long count, Runnable whenRead) {
    /** A part of a file of which nothing is known. */
    public FileSlice(FileChannel file, long position, long count, Runnable whenRead) {
        this(file, Residency.UNKNOWN, position, count, whenRead);
    }

    /** The position behind the last byte. */
    public long end() {
        return position + count;
    }
}
