package dev.penstock.documents.buffer;

import dev.penstock.documents.DocumentLimits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * The memory and the temporary file of one conversion: an account of the bytes that are held, and a file that only
 * grows and is deleted when it is closed.
 */
public final class Scratch implements AutoCloseable {
    private final DocumentLimits limits;
    private long held;
    private long full;
    private long size;
    private @Nullable FileChannel file;

    public Scratch(DocumentLimits limits) {
        this.limits = limits;
        this.full = limits.memoryBytes() / 2;
    }

    public DocumentLimits limits() {
        return limits;
    }

    /** Counts bytes of memory that are held from now on, or fewer if negative. */
    public void hold(long bytes) {
        held += bytes;
    }

    public boolean isFull() {
        return held > full;
    }

    /** Takes note that what could move into the file has done so; it is full again after some more bytes. */
    public void requireRelief() {
        if (held > limits.memoryBytes()) {
            throw Problems.limit(
                    "convert the document",
                    "memoryBytes",
                    limits.memoryBytes(),
                    "raise it, or use fewer levels and names");
        }
        full = Math.max(limits.memoryBytes() / 2, held + limits.memoryBytes() / 8);
    }

    public long size() {
        return size;
    }

    /** Appends bytes to the file and returns the offset of the first. */
    public long append(byte[] bytes, int offset, int count) {
        if (size + count > limits.temporaryBytes()) {
            throw Problems.limit(
                    "convert the document",
                    "temporaryBytes",
                    limits.temporaryBytes(),
                    "raise it or split the document");
        }
        long start = size;
        try {
            FileChannel channel = open();
            ByteBuffer source = ByteBuffer.wrap(bytes, offset, count);
            while (source.hasRemaining()) {
                size += channel.write(source, size);
            }
        } catch (IOException e) {
            throw Problems.temporary(e);
        }
        return start;
    }

    private FileChannel open() throws IOException {
        FileChannel opened = file;
        if (opened == null) {
            Path path = Files.createTempFile("penstock-document-", ".tmp");
            opened =
                    FileChannel.open(
                            path,
                            StandardOpenOption.READ,
                            StandardOpenOption.WRITE,
                            StandardOpenOption.DELETE_ON_CLOSE);
            file = opened;
        }
        return opened;
    }

    /** Reads bytes of the file; returns how many, or -1 at the end. */
    public int read(long position, byte[] bytes, int offset, int count) {
        if (position >= size || file == null) {
            return -1;
        }
        try {
            return file.read(ByteBuffer.wrap(bytes, offset, count), position);
        } catch (IOException e) {
            throw Problems.temporary(e);
        }
    }

    @Override
    public void close() {
        FileChannel opened = file;
        file = null;
        if (opened != null) {
            try {
                opened.close();
            } catch (IOException e) {
                throw Problems.temporary(e);
            }
        }
    }
}
