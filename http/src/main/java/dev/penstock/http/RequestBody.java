package dev.penstock.http;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ReadableByteChannel;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request: filled by the event loop, read by the handler. What is held is bounded: at {@link #WINDOW} bytes
 * the loop stops decoding, and then reading, until half of it is read.
 */
final class RequestBody implements ReadableByteChannel {
    static final int WINDOW = 64 * 1024;

    private final long maxBytes;
    private final Runnable demand;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Queue<ByteBuf> held = new ArrayDeque<>();
    private int heldBytes;
    private long received;
    private boolean ended;
    private boolean closed;
    private boolean demanded;
    private boolean full;
    private @Nullable String malformed;
    private volatile boolean wanted;
    private @Nullable String failure;

    /** Only the event loop uses it. */
    private @Nullable Taker taker;

    /** Takes a body as it comes, instead of a reader; on the event loop. */
    interface Taker {
        /** The next bytes; they are its own until it returns. */
        void take(ByteBuffer chunk);

        /** All of it has come. */
        void ended();

        /** The rest makes no sense, or is too much. */
        void failed(HttpException failure);
    }

    /**
     * @param demand called on the handler's thread when it first reads, and when there is room again
     */
    RequestBody(long maxBytes, Runnable demand) {
        this.maxBytes = maxBytes;
        this.demand = demand;
    }

    /**
     * Takes over a buffer. On the event loop.
     *
     * @return false if no more should come for now
     */
    boolean offer(ByteBuf content) {
        if (taker != null) {
            return handOver(taker, content);
        }
        lock.lock();
        try {
            received += content.readableBytes();
            if (closed || failure != null || received > maxBytes || !content.isReadable()) {
                content.release();
                changed.signalAll();
                return received <= maxBytes;
            }
            held.add(content);
            heldBytes += content.readableBytes();
            changed.signalAll();
            full = heldBytes >= WINDOW;
            return !full;
        } finally {
            lock.unlock();
        }
    }

    private boolean handOver(Taker taker, ByteBuf content) {
        boolean fits;
        lock.lock();
        try {
            received += content.readableBytes();
            fits = received <= maxBytes;
        } finally {
            lock.unlock();
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
        return fits;
    }

    /** Gives what is held, and from now on what comes, to a taker; what was read before is gone. On the event loop. */
    void handTo(Taker taker) {
        List<ByteBuf> first;
        lock.lock();
        try {
            first = List.copyOf(held);
            held.clear();
            received -= heldBytes;
            heldBytes = 0;
            full = false;
            demanded = true;
        } finally {
            lock.unlock();
        }
        this.taker = taker;
        first.forEach(content -> handOver(taker, content));
        if (malformed != null) {
            taker.failed(new HttpException(400, malformed));
        } else if (ended()) {
            taker.ended();
        } else {
            wanted = true;
            demand.run();
        }
    }

    /** All is there. On the event loop. */
    void end() {
        lock.lock();
        try {
            ended = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (taker != null) {
            wanted = false;
            taker.ended();
        }
    }

    /** The rest will never come. */
    void fail(String reason) {
        lock.lock();
        try {
            if (!ended && failure == null) {
                failure = reason;
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** What came is no body, or not all of one. */
    void malformed(String how) {
        lock.lock();
        try {
            if (!ended && malformed == null) {
                malformed = how;
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (taker != null) {
            wanted = false;
            taker.failed(new HttpException(400, how));
        }
    }

    boolean ended() {
        lock.lock();
        try {
            return ended;
        } finally {
            lock.unlock();
        }
    }

    /** How much has come so far. */
    long received() {
        lock.lock();
        try {
            return received;
        } finally {
            lock.unlock();
        }
    }

    /** Whether the handler waits for the client. */
    boolean wanted() {
        return wanted;
    }

    boolean full() {
        lock.lock();
        try {
            return full;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        boolean ask;
        lock.lock();
        try {
            if (!target.hasRemaining()) {
                return 0;
            }
            ask = !demanded && !ended;
            demanded = true;
        } finally {
            lock.unlock();
        }
        if (ask) {
            demand.run();
        }
        return take(target);
    }

    private int take(ByteBuffer target) throws IOException {
        boolean roomAgain = false;
        int count;
        lock.lock();
        try {
            await();
            if (held.isEmpty()) {
                return -1;
            }
            count = copy(target);
            if (full && heldBytes <= WINDOW / 2) {
                full = false;
                roomAgain = true;
            }
        } finally {
            lock.unlock();
        }
        if (roomAgain) {
            demand.run();
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
                    throw new HttpException(400, malformed);
                }
                if (!held.isEmpty() || ended) {
                    return;
                }
                if (failure != null) {
                    throw new IOException(failure);
                }
                wanted = true;
                changed.await();
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
        lock.lock();
        try {
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            full = false;
            wanted = false;
            held.forEach(ByteBuf::release);
            held.clear();
            heldBytes = 0;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
