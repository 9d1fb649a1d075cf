package dev.penstock.http.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A file on a disk that hangs: bytes that were not read into memory before are not there until the disk is let go on.
 * Whoever touches them on a thread that has better things to do is noted.
 */
public final class StallingFile extends FileChannel {
    private final FileChannel file;
    private final CountDownLatch goesOn = new CountDownLatch(1);
    private final List<String> touchedBy = Collections.synchronizedList(new ArrayList<>());
    private volatile boolean awaited;
    private final AtomicLong readTo = new AtomicLong();
    private volatile @Nullable IOException failure;

    public StallingFile(Path path) throws IOException {
        file = FileChannel.open(path, StandardOpenOption.READ);
    }

    /** Lets the disk go on. */
    public void goOn() {
        goesOn.countDown();
    }

    /** Lets the disk go on, and fail. */
    public void fail(IOException failure) {
        this.failure = failure;
        goesOn.countDown();
    }

    /** The threads that touched bytes which were not in memory, save those that are there for that. */
    public List<String> touchedBy() {
        return touchedBy;
    }

    /** Returns whether somebody waits for the disk, or has. */
    public boolean isAwaited() {
        return awaited;
    }

    private void touch(long end) throws IOException {
        String thread = Thread.currentThread().getName();
        if (end <= readTo.get()) {
            return;
        }
        if (!thread.startsWith("penstock-file")) {
            touchedBy.add(thread.isEmpty() ? "a virtual thread" : thread);
        }
        awaited = true;
        try {
            goesOn.await();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
        IOException known = failure;
        if (known != null) {
            throw known;
        }
        readTo.accumulateAndGet(end, Math::max);
    }

    @Override
    public long transferTo(long position, long count, WritableByteChannel target)
            throws IOException {
        touch(Math.min(position + count, file.size()));
        return file.transferTo(position, count, target);
    }

    @Override
    public int read(ByteBuffer target, long position) throws IOException {
        touch(Math.min(position + target.remaining(), file.size()));
        return file.read(target, position);
    }

    @Override
    public long size() throws IOException {
        return file.size();
    }

    @Override
    protected void implCloseChannel() throws IOException {
        file.close();
    }

    @Override
    public int read(ByteBuffer target) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int write(ByteBuffer source) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int write(ByteBuffer source, long position) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long position() {
        throw new UnsupportedOperationException();
    }

    @Override
    public FileChannel position(long position) {
        throw new UnsupportedOperationException();
    }

    @Override
    public FileChannel truncate(long size) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void force(boolean metaData) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long transferFrom(ReadableByteChannel source, long position, long count) {
        throw new UnsupportedOperationException();
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long position, long size) {
        throw new UnsupportedOperationException();
    }

    @Override
    public FileLock lock(long position, long size, boolean shared) {
        throw new UnsupportedOperationException();
    }

    @Override
    public FileLock tryLock(long position, long size, boolean shared) {
        throw new UnsupportedOperationException();
    }
}
