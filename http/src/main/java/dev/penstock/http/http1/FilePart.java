package dev.penstock.http.http1;

import io.netty.channel.FileRegion;
import io.netty.util.AbstractReferenceCounted;
import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.util.function.Consumer;

/**
 * A part of a file on its way to a socket, moved by the operating system. It does not close the file, which may be on
 * its way to others too, but tells when it does not read it any more. For one event loop.
 */
final class FilePart extends AbstractReferenceCounted implements FileRegion {
    /** A client that reads as fast as the file is read must not keep the event loop from others. */
    private static final long MOST_AT_ONCE = 1024 * 1024;

    private final FileChannel file;
    private final long position;
    private final long count;
    private final Runnable whenRead;
    private final Consumer<EOFException> whenShort;
    private long transferred;

    /** Whether the socket has taken less than there was, so that it is full. */
    private boolean full;

    /**
     * @param whenRead run once, when it is released
     * @param whenShort told, before the failure, that the file has become shorter
     */
    FilePart(
            FileChannel file,
            long position,
            long count,
            Runnable whenRead,
            Consumer<EOFException> whenShort) {
        this.file = file;
        this.position = position;
        this.count = count;
        this.whenRead = whenRead;
        this.whenShort = whenShort;
    }

    @Override
    public long position() {
        return position;
    }

    @Override
    public long count() {
        return count;
    }

    @Override
    public long transferred() {
        return transferred;
    }

    @Override
    @Deprecated
    public long transfered() {
        return transferred;
    }

    @Override
    public long transferTo(WritableByteChannel target, long from) throws IOException {
        if (full) {
            // Asking it again would be for nothing before it tells that it has room.
            full = false;
            return 0;
        }
        long at = position + from;
        long asked = Math.min(MOST_AT_ONCE, count - from);
        long moved = file.transferTo(at, asked, target);
        if (moved > 0) {
            transferred += moved;
            full = moved < asked;
        } else if (from < count && file.size() <= at) {
            EOFException failure =
                    new EOFException(
                            "The file ends at byte %d, before %d"
                                    .formatted(file.size(), position + count));
            whenShort.accept(failure);
            throw failure;
        }
        return moved;
    }

    @Override
    protected void deallocate() {
        whenRead.run();
    }

    @Override
    public FilePart retain() {
        super.retain();
        return this;
    }

    @Override
    public FilePart retain(int increment) {
        super.retain(increment);
        return this;
    }

    @Override
    public FilePart touch() {
        return this;
    }

    @Override
    public FilePart touch(Object hint) {
        return this;
    }
}
