package dev.penstock.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One response on an HTTP/1 connection. The handler's thread queues frames, and the event loop takes all that are queued at
 * once: there is at most one hop under way, however many frames. The thread waits while more than {@link #BUDGET} bytes are
 * not in the socket yet, so that a response holds that and the buffer being filled.
 */
final class Http1Wire implements Wire {
    /** Bytes on their way to the socket; a larger frame goes alone. */
    static final int BUDGET = 64 * 1024;

    /** Before a payload: eight digits and CR LF. After it: CR LF, and the empty chunk that ends a body. */
    private static final int BEFORE = 10;

    private static final int AFTER = 7;
    private static final byte[] END = Syntax.ascii("0\r\n\r\n");

    private final Http1Request request;
    private final Channel channel;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition room = lock.newCondition();
    private final Queue<ByteBuf> queued = new ArrayDeque<>(4);
    private int inFlight;
    private boolean scheduled;
    private boolean lastQueued;
    private boolean gone;
    private boolean chunked;

    /** An offer was refused; those after it are too until there is much room again, so that none overtakes it. */
    private boolean starved;

    private volatile @Nullable Runnable onRoom;

    /** Counts bytes that the socket took. Written by the event loop. */
    private volatile long sent;

    private volatile boolean committed;
    private volatile boolean persistent;

    Http1Wire(Http1Request request, Channel channel) {
        this.request = request;
        this.channel = channel;
    }

    /** Whether the connection can be used for another request afterwards. */
    boolean persistent() {
        return persistent;
    }

    boolean committed() {
        return committed;
    }

    /** Bytes that have left, framing included. */
    long sent() {
        return sent;
    }

    @Override
    public ByteBuf allocate(int bytes) {
        ByteBuf buffer =
                channel.alloc()
                        .directBuffer(bytes + BEFORE + AFTER, Response.FULL + BEFORE + AFTER);
        return buffer.setIndex(BEFORE, BEFORE);
    }

    @Override
    public void send(@Nullable Head head, @Nullable ByteBuf payload, boolean last)
            throws IOException {
        ByteBuf first = head == null ? null : encode(head);
        ByteBuf frame = frame(payload, last);
        if (first != null
                && frame != null
                && frame.readableBytes() <= first.maxFastWritableBytes()) {
            first.writeBytes(frame);
            frame.release();
            frame = null;
        }
        queue(first, frame, last);
    }

    private ByteBuf encode(Head head) {
        chunked = head.length() < 0 && !head.bodiless() && !request.http10();
        persistent =
                request.mayPersist()
                        && !"close".equalsIgnoreCase(head.fields().get("Connection"))
                        && (chunked || head.length() >= 0 || head.bodiless());
        committed = true;
        return request.encode(head, persistent);
    }

    /** Adds the chunk's size and end around the payload. */
    private @Nullable ByteBuf frame(@Nullable ByteBuf payload, boolean last) {
        if (!chunked) {
            return payload;
        }
        ByteBuf frame = payload == null && last ? allocate(0) : payload;
        if (frame == null) {
            return null;
        }
        int size = frame.readableBytes();
        if (size > 0) {
            int start = frame.readerIndex();
            frame.setByte(--start, '\n').setByte(--start, '\r');
            for (int rest = size; rest > 0; rest >>>= 4) {
                frame.setByte(--start, Character.forDigit(rest & 0xf, 16));
            }
            frame.readerIndex(start);
            frame.writeByte('\r').writeByte('\n');
        }
        return last ? frame.writeBytes(END) : frame;
    }

    @Override
    public boolean offer(ByteBuf payload, int budget) {
        ByteBuf frame = frame(payload, false);
        int size = payload.readableBytes();
        boolean schedule = false;
        lock.lock();
        try {
            boolean over = gone || lastQueued;
            starved |= !over && inFlight > 0 && inFlight + size > budget;
            if (frame == null || over || starved) {
                payload.release();
                return false;
            }
            queued.add(frame);
            inFlight += size;
            schedule = !scheduled;
            scheduled = true;
        } finally {
            lock.unlock();
        }
        if (schedule) {
            drainSoon();
        }
        return true;
    }

    @Override
    public void onRoom(Runnable action) {
        onRoom = action;
    }

    private void drainSoon() {
        try {
            // Not at once, even on the loop: what is offered together goes out together.
            channel.eventLoop().execute(this::drain);
        } catch (RejectedExecutionException _) {
            gone();
        }
    }

    private void queue(@Nullable ByteBuf first, @Nullable ByteBuf second, boolean last)
            throws IOException {
        int size =
                (first == null ? 0 : first.readableBytes())
                        + (second == null ? 0 : second.readableBytes());
        boolean schedule = false;
        lock.lock();
        try {
            awaitRoom(size);
            if (first != null) {
                queued.add(first);
            }
            if (second != null) {
                queued.add(second);
            }
            if (last && first == null && second == null) {
                // The end is told by what is written last, so there must be something.
                queued.add(Unpooled.EMPTY_BUFFER);
            }
            inFlight += size;
            lastQueued = last;
            schedule = !scheduled;
            scheduled = true;
        } catch (IOException | IllegalStateException failure) {
            release(first);
            release(second);
            throw failure;
        } finally {
            lock.unlock();
        }
        if (schedule) {
            schedule();
        }
    }

    private static void release(@Nullable ByteBuf frame) {
        if (frame != null) {
            frame.release();
        }
    }

    private void awaitRoom(int size) throws IOException {
        try {
            while (!gone && inFlight > 0 && inFlight + size > BUDGET) {
                if (channel.eventLoop().inEventLoop()) {
                    throw new IllegalStateException(
                            "A non-blocking handler wrote more than the %d bytes that may be on their way: write less, or from a handler on a thread"
                                    .formatted(BUDGET));
                }
                room.await();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("Interrupted while writing the response");
        }
        if (gone) {
            throw new IOException("The client has gone before the response was complete");
        }
    }

    private void schedule() throws IOException {
        if (channel.eventLoop().inEventLoop()) {
            drain();
            return;
        }
        try {
            channel.eventLoop().execute(this::drain);
        } catch (RejectedExecutionException stopped) {
            gone();
            throw new IOException("The server has stopped", stopped);
        }
    }

    /** On the event loop. */
    private void drain() {
        boolean last = false;
        ChannelFuture latest = null;
        lock.lock();
        try {
            scheduled = false;
            for (ByteBuf frame = queued.poll(); frame != null; frame = queued.poll()) {
                int size = frame.readableBytes();
                latest = channel.write(frame);
                latest.addListener(written -> left(size, written));
                last = lastQueued;
            }
        } finally {
            lock.unlock();
        }
        channel.flush();
        if (last && latest != null) {
            latest.addListener(written -> {
                if (written.isSuccess()) {
                    request.responseSent();
                }
            });
        }
    }

    private void left(int size, Future<?> written) {
        if (!written.isSuccess()) {
            request.writeFailed();
            return;
        }
        long soFar = sent;
        sent = soFar + size;
        boolean roomAgain;
        lock.lock();
        try {
            inFlight -= size;
            room.signal();
            roomAgain = starved && inFlight <= BUDGET / 2;
            starved &= !roomAgain;
        } finally {
            lock.unlock();
        }
        Runnable action = onRoom;
        if (roomAgain && action != null) {
            action.run();
        }
    }

    /** The client has gone: wakes the writer, which gets an exception. */
    void gone() {
        lock.lock();
        try {
            gone = true;
            queued.forEach(ByteBuf::release);
            queued.clear();
            room.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void reset() {
        request.reset();
    }
}
