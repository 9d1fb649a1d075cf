package dev.penstock.http.http1;

import dev.penstock.http.disk.FileSlice;
import dev.penstock.http.disk.ReadAhead;
import dev.penstock.http.response.QueuedTransport;
import io.netty.channel.Channel;
import io.netty.channel.FileRegion;
import io.netty.util.AbstractReferenceCounted;
import io.netty.util.concurrent.Future;
import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.WritableByteChannel;
import java.util.concurrent.RejectedExecutionException;

/**
 * A part of a file on its way to a socket, moved by the operating system as far as the bytes are in memory. Where they
 * are not, it leaves the socket's queue, and comes back when they have been read: the disk does not hold up the event
 * loop. It does not close the file, which may be on its way to others too, but tells when it does not read it any more.
 * For one event loop.
 */
final class FilePart extends AbstractReferenceCounted implements FileRegion, QueuedTransport.Rest {
    /**
     * The bytes that are moved before it is the turn of others: a client that reads as fast as the file is read must
     * not keep the event loop from them. With four times as many, short answers beside eight downloads took twice as
     * long; with half as many, downloads took a third more processor time.
     */
    private static final long TURN = 256 * 1024;

    private final FileSlice slice;
    private final ReadAhead ahead;
    private final Channel channel;
    private final Http1Transport transport;
    private long transferred;

    /** How much of it may be sent, as far as is known. The queue takes it for done when that was. */
    private long limit;

    /** What the transport knows of. */
    private long told;

    /** Whether the socket has taken less than there was, so that it is full, or it is the turn of others. */
    private boolean pausing;

    /** The bytes that may still be moved in the present turn. */
    private long turn = TURN;

    FilePart(FileSlice slice, Channel channel, Http1Transport transport) {
        this.slice = slice;
        this.channel = channel;
        this.transport = transport;
        ahead = new ReadAhead(slice);
    }

    @Override
    public void start() {
        goOn();
        if (limit == 0) {
            // The head does not wait for the disk.
            channel.flush();
        }
    }

    @Override
    public void abandon() {
        release();
    }

    /** Queues it as far as it is in memory, or has the next bytes read. It is not queued now. */
    private void goOn() {
        try {
            if (mayGoOn()) {
                retain();
                var _ = channel.writeAndFlush(this).addListener(this::left);
            } else {
                var _ = ahead.read(slice.position() + transferred).thenRun(this::wasRead);
            }
        } catch (IOException _) {
            release();
            transport.writeFailed();
        }
    }

    /**
     * Returns whether the next bytes are in memory.
     *
     * @throws IOException if they could not be read, which was told to the transport
     */
    private boolean mayGoOn() throws IOException {
        try {
            long ready = ahead.ready(slice.position() + transferred);
            limit = transferred + ready;
            return ready > 0;
        } catch (IOException failure) {
            transport.fileFailed(failure);
            throw failure;
        }
    }

    /** On any thread. */
    private void wasRead() {
        try {
            channel.eventLoop().execute(this::goOn);
        } catch (RejectedExecutionException _) {
            // The server has stopped.
            release();
        }
    }

    /** It has left the queue. */
    private void left(Future<?> written) {
        transport.took(transferred - told);
        told = transferred;
        if (!written.isSuccess()) {
            release();
            transport.writeFailed();
        } else if (transferred < slice.count()) {
            goOn();
        } else {
            slice.residency().sent(slice.position(), slice.count());
            release();
            transport.fileSent();
        }
    }

    @Override
    public long position() {
        return slice.position();
    }

    @Override
    public long count() {
        return limit;
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
        if (pausing) {
            // The event loop comes back when the socket has room, which may be at once.
            pausing = false;
            turn = TURN;
            return 0;
        }
        if (!mayGoOn()) {
            return 0;
        }
        long at = slice.position() + transferred;
        long asked = Math.min(turn, limit - transferred);
        long start = System.nanoTime();
        long moved = slice.file().transferTo(at, asked, target);
        ahead.used(System.nanoTime() - start);
        if (moved > 0) {
            transferred += moved;
            turn -= moved;
            pausing = moved < asked || turn == 0;
            if (transferred == limit && limit < slice.count()) {
                // Goes on without leaving the queue, if it can.
                var _ = mayGoOn();
            }
        } else if (slice.file().size() <= at) {
            throw ended(slice.file().size());
        }
        return moved;
    }

    private EOFException ended(long size) {
        EOFException failure =
                new EOFException(
                        "The file ends at byte %d, before %d".formatted(size, slice.end()));
        transport.fileFailed(failure);
        return failure;
    }

    @Override
    protected void deallocate() {
        ahead.close();
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
