package dev.penstock.http.exchange;

import dev.penstock.http.HttpException;
import dev.penstock.http.limits.UnreadBodies;
import dev.penstock.http.loop.HeldBytes;
import dev.penstock.http.message.RequestHeaders;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ReadableByteChannel;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request: filled by the event loop, read by the handler. What is held is bounded: at {@link #WINDOW}
 * bytes the loop stops decoding, and then reading, until half of it is read. A reader with a larger buffer has
 * a window of that size, at most {@link #MOST_WINDOW}, so that the next one fills while it works on the one before.
 */
public final class RequestBody implements ReadableByteChannel {
    static final int WINDOW = 64 * 1024;

    /** The largest window, for readers with large buffers. */
    static final int MOST_WINDOW = 128 * 1024;

    /** Readers with smaller buffers get what is there, however little. */
    private static final int GATHERED = 64 * 1024;

    private long maxBytes;
    private final Source source;
    private final UnreadBodies unread;

    private final Object lock = new Object();
    private final HeldBytes held = new HeldBytes();
    private int window = WINDOW;

    /** With fewer bytes than these the reader is not woken, unless {@link #isDue}. */
    private int worthReading = 1;

    /** Whether what is held is to be read, however little it is. */
    private boolean isDue;

    private boolean flushes;
    private @Nullable Thread waiting;

    /** What of it counts as unread. */
    private int counted;

    private long received;
    private boolean ended;

    /** What stands behind it; null until it has ended. */
    private @Nullable RequestHeaders trailers;

    private boolean closed;
    private boolean demanded;
    private boolean full;
    private @Nullable HttpException malformed;
    private volatile boolean wanted;
    private @Nullable String failure;

    /** Only the event loop uses it. */
    private @Nullable Taker taker;

    /** Takes a body as it comes, instead of a reader; on the event loop. */
    public interface Taker {
        /** The next bytes; they are its own until it returns. */
        void take(ByteBuffer chunk);

        /** All of it has come. */
        void ended();

        /** The rest makes no sense, or is too much. */
        void failed(HttpException failure);
    }

    /** The source of a body. */
    public interface Source {
        /** It is read, and there is room. On the reader's thread, when it first reads, and when there is room again. */
        void demand();

        /** So many bytes that were offered are not held any more. On any thread. */
        void taken(int bytes);

        /**
         * Has {@link #flush} called in a millisecond or so; on the event loop. A source that can't returns false, and
         * its reader gets every piece as it comes.
         */
        default boolean flushSoon() {
            return false;
        }
    }

    /**
     * @param unread where what it holds counts until somebody reads it
     */
    public RequestBody(long maxBytes, Source source, UnreadBodies unread) {
        this.maxBytes = maxBytes;
        this.source = source;
        this.unread = unread;
    }

    /** Bounds it further, before anything of it has come or is read. On the event loop. */
    void limit(long bytes) {
        synchronized (lock) {
            maxBytes = Math.min(maxBytes, bytes);
        }
    }

    /**
     * Takes over a buffer. On the event loop.
     *
     * @return false if no more should come for now
     */
    public boolean offer(ByteBuf content) {
        return taker != null ? handOver(taker, content) : take(content, false);
    }

    /**
     * The same, where somebody reads, or the bodies that nobody reads have room for it. On the event loop.
     *
     * @return false, and the buffer is left to the caller, if they have none
     */
    public boolean offerIfRoom(ByteBuf content) {
        if (taker != null) {
            var _ = handOver(taker, content);
            return true;
        }
        synchronized (lock) {
            boolean isUnread = !demanded;
            if (isUnread && !unread.tryAdd(content.readableBytes())) {
                return false;
            }
            var _ = take(content, isUnread);
            return true;
        }
    }

    /**
     * @param isCounted whether its bytes count as unread already
     */
    private boolean take(ByteBuf content, boolean isCounted) {
        int bytes = content.readableBytes();
        synchronized (lock) {
            received += bytes;
            boolean fits = received <= maxBytes;
            if (!closed && failure == null && fits && bytes > 0) {
                if (!demanded) {
                    counted += bytes;
                    if (!isCounted) {
                        unread.add(bytes);
                    }
                }
                // There may be no memory for it: what counts by now is given back at the end.
                held.add(content);
                full = held.bytes() >= window;
                wakeIfWorth();
                return !full;
            }
            if (isCounted) {
                unread.remove(bytes);
            }
            content.release();
            wake();
            if (!fits) {
                return false;
            }
        }
        source.taken(bytes);
        return true;
    }

    private boolean handOver(Taker taker, ByteBuf content) {
        boolean fits;
        int bytes = content.readableBytes();
        synchronized (lock) {
            received += bytes;
            fits = received <= maxBytes;
        }
        try {
            if (!fits) {
                taker.failed(tooLarge(maxBytes));
            } else if (content.isReadable()) {
                taker.take(content.nioBuffer().asReadOnlyBuffer());
            }
        } finally {
            content.release();
        }
        if (fits) {
            source.taken(bytes);
        }
        return fits;
    }

    /** Gives what is held, and from now on what comes, to a taker; what was read before is gone. On the event loop. */
    void handTo(Taker taker) {
        List<ByteBuf> first;
        synchronized (lock) {
            received -= held.bytes();
            first = held.take(Integer.MAX_VALUE);
            demandedNow();
            full = false;
        }
        this.taker = taker;
        first.forEach(content -> handOver(taker, content));
        if (malformed != null) {
            taker.failed(malformed);
        } else if (ended()) {
            taker.ended();
        } else {
            wanted = true;
            source.demand();
        }
    }

    /** All is there, with nothing behind it. On the event loop. */
    public void end() {
        end(RequestHeaders.NONE);
    }

    /** All is there. On the event loop. */
    public void end(RequestHeaders behind) {
        synchronized (lock) {
            ended = true;
            trailers = behind;
            wake();
        }
        if (taker != null) {
            wanted = false;
            taker.ended();
        }
    }

    /** The rest will never come. */
    void fail(String reason) {
        synchronized (lock) {
            if (!ended && failure == null) {
                failure = reason;
            }
            wake();
        }
    }

    /** What came is no body, or not all of one. */
    public void malformed(String how) {
        malformed(new HttpException(400, how));
    }

    /** The same, with what is to be said of it. */
    public void malformed(HttpException fault) {
        synchronized (lock) {
            if (!ended && malformed == null) {
                malformed = fault;
            }
            wake();
        }
        if (taker != null) {
            wanted = false;
            taker.failed(fault);
        }
    }

    public boolean ended() {
        synchronized (lock) {
            return ended;
        }
    }

    /** What stands behind it; null if not all of it was read. */
    @Nullable RequestHeaders trailers() {
        synchronized (lock) {
            return held.isEmpty() ? trailers : null;
        }
    }

    /** How much has come so far. */
    public long received() {
        synchronized (lock) {
            return received;
        }
    }

    /** Returns whether the handler waits for the client. */
    public boolean wanted() {
        return wanted;
    }

    public boolean full() {
        synchronized (lock) {
            return full;
        }
    }

    /** The number of bytes that may come at once for the reader; 0 if nobody reads it. */
    public int room() {
        synchronized (lock) {
            return demanded && !closed ? Math.max(0, window - held.bytes()) : 0;
        }
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        boolean ask;
        synchronized (lock) {
            if (!target.hasRemaining()) {
                return 0;
            }
            ask = !demanded && !ended;
            demandedNow();
            if (target.remaining() >= GATHERED) {
                window = Math.clamp(target.remaining(), window, MOST_WINDOW);
                worthReading = Math.min(target.remaining(), window) / 2;
            } else {
                worthReading = 1;
            }
        }
        if (ask) {
            source.demand();
        }
        return take(target);
    }

    /** Somebody reads it. Under the lock. */
    private void demandedNow() {
        if (!demanded) {
            demanded = true;
            unread.remove(counted);
            counted = 0;
        }
    }

    /**
     * Returns whether it is to be dropped, since nobody reads it, and there is no room in the server for so many bytes
     * more: what it holds does not count from then on, so that others need not be dropped too.
     */
    public boolean isDroppedUnlessRoom(int more) {
        synchronized (lock) {
            if (demanded || !unread.removeUnlessRoom(counted, more)) {
                return false;
            }
            counted = 0;
            return true;
        }
    }

    /** Returns whether there is something of it that was not read. */
    public boolean isHeld() {
        synchronized (lock) {
            return held.bytes() > 0;
        }
    }

    /** Returns whether somebody has begun to read it. */
    public boolean demanded() {
        synchronized (lock) {
            return demanded;
        }
    }

    private int take(ByteBuffer target) throws IOException {
        boolean roomAgain = false;
        int count;
        List<ByteBuf> taken;
        while (true) {
            synchronized (lock) {
                if (isReadable()) {
                    if (held.isEmpty()) {
                        return -1;
                    }
                    int before = held.bytes();
                    taken = held.take(target.remaining());
                    count = before - held.bytes();
                    isDue &= !held.isEmpty();
                    if (full && held.bytes() <= window / 2) {
                        full = false;
                        roomAgain = true;
                    }
                    break;
                }
                wanted = true;
                waiting = Thread.currentThread();
            }
            park();
        }
        if (roomAgain) {
            source.demand();
        }
        copy(taken, target);
        source.taken(count);
        return count;
    }

    /** Returns whether a read need not wait. Under the lock. */
    private boolean isReadable() throws IOException {
        if (closed) {
            throw new ClosedChannelException();
        }
        if (received > maxBytes) {
            throw tooLarge(maxBytes);
        }
        if (malformed != null) {
            throw malformed;
        }
        if (ended || isWorthReading()) {
            return true;
        }
        if (failure != null) {
            if (held.isEmpty()) {
                throw new IOException(failure);
            }
            return true;
        }
        return false;
    }

    private boolean isWorthReading() {
        return held.bytes() >= worthReading || full || (!held.isEmpty() && (isDue || !flushes));
    }

    /** Waits without the lock, and without a monitor: those wake virtual threads by way of another thread. */
    private void park() throws InterruptedIOException {
        LockSupport.park(this);
        wanted = false;
        if (Thread.currentThread().isInterrupted()) {
            throw new InterruptedIOException("Interrupted while reading the request's body");
        }
    }

    /** Wakes the reader. Under the lock. */
    private void wake() {
        Thread reader = waiting;
        if (reader != null) {
            waiting = null;
            LockSupport.unpark(reader);
        }
    }

    /**
     * Wakes the reader if there is enough for it, or else in a moment: each time costs more than the copying of some
     * KiB. Under the lock, on the event loop.
     */
    private void wakeIfWorth() {
        if (held.bytes() < worthReading && !full && !isDue && !flushes) {
            flushes = source.flushSoon();
        }
        if (isWorthReading()) {
            wake();
        }
    }

    /** Lets the reader have what is there. On the event loop. */
    public void flush() {
        synchronized (lock) {
            flushes = false;
            isDue = !held.isEmpty();
            wake();
        }
    }

    private static void copy(List<ByteBuf> from, ByteBuffer to) {
        try {
            for (ByteBuf part : from) {
                int length = part.readableBytes();
                part.readBytes(to.slice(to.position(), length));
                to.position(to.position() + length);
            }
        } finally {
            from.forEach(ByteBuf::release);
        }
    }

    static HttpException tooLarge(long maxBytes) {
        return new HttpException(
                413, "The request's body is larger than %d bytes, the limit".formatted(maxBytes));
    }

    @Override
    public boolean isOpen() {
        synchronized (lock) {
            return !closed;
        }
    }

    @Override
    public void close() {
        int dropped;
        synchronized (lock) {
            dropped = held.bytes();
            demandedNow();
            closed = true;
            full = false;
            wanted = false;
            held.take(Integer.MAX_VALUE).forEach(ByteBuf::release);
            wake();
        }
        if (dropped > 0) {
            source.taken(dropped);
        }
    }
}
