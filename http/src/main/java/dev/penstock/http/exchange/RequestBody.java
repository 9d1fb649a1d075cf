package dev.penstock.http.exchange;

import dev.penstock.http.HttpException;
import dev.penstock.http.limits.UnreadBodies;
import dev.penstock.http.message.RequestHeaders;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ReadableByteChannel;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request: filled by the event loop, read by the handler. What is held is bounded: at {@link #WINDOW}
 * bytes the loop stops decoding, and then reading, until half of it is read.
 */
public final class RequestBody implements ReadableByteChannel {
    static final int WINDOW = 64 * 1024;

    private static final int PIECE = 4 * 1024;

    private long maxBytes;
    private final Source source;
    private final UnreadBodies unread;

    private final Object lock = new Object();
    private final Queue<ByteBuf> held = new ArrayDeque<>();
    private int heldBytes;

    /** What of it counts as unread. */
    private int counted;

    /** The last of what is held, if small pieces can be added to it. */
    private @Nullable ByteBuf pieces;

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
                hold(content);
                heldBytes += bytes;
                if (!demanded) {
                    counted += bytes;
                    if (!isCounted) {
                        unread.add(bytes);
                    }
                }
                lock.notifyAll();
                full = heldBytes >= WINDOW;
                return !full;
            }
            if (isCounted) {
                unread.remove(bytes);
            }
            content.release();
            lock.notifyAll();
            if (!fits) {
                return false;
            }
        }
        source.taken(bytes);
        return true;
    }

    /** Small pieces go together: each may keep alive a far larger buffer that it was read with. */
    private void hold(ByteBuf content) {
        int bytes = content.readableBytes();
        if (bytes >= PIECE / 4) {
            held.add(content);
            pieces = null;
            return;
        }
        ByteBuf together = pieces;
        if (together == null || together.writableBytes() < bytes) {
            together = content.alloc().buffer(PIECE, PIECE);
            pieces = together;
            held.add(together);
        }
        together.writeBytes(content);
        content.release();
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
            first = List.copyOf(held);
            held.clear();
            pieces = null;
            received -= heldBytes;
            demandedNow();
            heldBytes = 0;
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
            lock.notifyAll();
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
            lock.notifyAll();
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
            lock.notifyAll();
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

    /** Whether the handler waits for the client. */
    public boolean wanted() {
        return wanted;
    }

    public boolean full() {
        synchronized (lock) {
            return full;
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
     * Whether it is to be dropped, since nobody reads it, and there is no room in the server for so many bytes more:
     * what it holds does not count from then on, so that others need not be dropped too.
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

    /** Whether there is something of it that was not read. */
    public boolean isHeld() {
        synchronized (lock) {
            return heldBytes > 0;
        }
    }

    /** Whether somebody has begun to read it. */
    public boolean demanded() {
        synchronized (lock) {
            return demanded;
        }
    }

    private int take(ByteBuffer target) throws IOException {
        boolean roomAgain = false;
        int count;
        synchronized (lock) {
            await();
            if (held.isEmpty()) {
                return -1;
            }
            count = copy(target);
            if (full && heldBytes <= WINDOW / 2) {
                full = false;
                roomAgain = true;
            }
        }
        source.taken(count);
        if (roomAgain) {
            source.demand();
        }
        return count;
    }

    private void await() throws IOException {
        try {
            while (true) {
                if (closed) {
                    throw new ClosedChannelException();
                }
                if (received > maxBytes) {
                    throw tooLarge(maxBytes);
                }
                if (malformed != null) {
                    throw malformed;
                }
                if (!held.isEmpty() || ended) {
                    return;
                }
                if (failure != null) {
                    throw new IOException(failure);
                }
                wanted = true;
                lock.wait();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("Interrupted while reading the request's body");
        } finally {
            wanted = false;
        }
    }

    private int copy(ByteBuffer target) {
        int before = target.remaining();
        while (target.hasRemaining()) {
            ByteBuf first = held.peek();
            if (first == null) {
                break;
            }
            int length = Math.min(first.readableBytes(), target.remaining());
            ByteBuffer part = target.slice(target.position(), length);
            first.readBytes(part);
            target.position(target.position() + length);
            heldBytes -= length;
            if (!first.isReadable()) {
                held.remove();
                if (held.isEmpty()) {
                    pieces = null;
                }
                first.release();
            }
        }
        return before - target.remaining();
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
            dropped = heldBytes;
            demandedNow();
            closed = true;
            full = false;
            wanted = false;
            held.forEach(ByteBuf::release);
            held.clear();
            pieces = null;
            heldBytes = 0;
            lock.notifyAll();
        }
        if (dropped > 0) {
            source.taken(dropped);
        }
    }
}
