package dev.penstock.http.response;

import dev.penstock.http.disk.FileSlice;
import dev.penstock.http.message.ResponseHeaders;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The part of a response's transport that all protocols share. A handler's thread queues frames, and the event loop
 * takes all that are queued at once: there is at most one hop under way, however many frames. What comes on the loop
 * itself, with nothing ahead, goes without the queue. The thread waits while more than {@link SendWindow#BYTES} bytes
 * are not in the socket yet, so that a response holds that and the buffer being filled.
 */
public abstract class QueuedTransport implements ResponseTransport {
    /** Bytes of informational responses that may be on their way when another is added that can be dropped. */
    private static final int MOST_INTERIM = 16 * 1024;

    private final Channel channel;
    private final ReentrantLock lock = new ReentrantLock();
    private final SendWindow window = new SendWindow(lock);

    /** There once a frame could not go at once. */
    private @Nullable Queue<ByteBuf> queued;

    private boolean scheduled;
    private boolean lastQueued;

    /** Bytes of informational responses that are on their way. */
    private int interimBytes;

    /** Whether what is written on the loop need not be flushed. For the loop. */
    private boolean fileFollows;

    private volatile @Nullable Runnable onRoom;

    /** The bytes behind all frames, as the end of a response. */
    public interface Rest {
        /** Begins; {@link #restSent} is called when all of it has left. On the event loop. */
        void start();

        /** It will not be sent: gives back what it holds. On any thread. */
        void abandon();
    }

    protected QueuedTransport(Channel channel) {
        this.channel = channel;
    }

    /** Writes one frame, without flushing. On the event loop. */
    protected abstract ChannelFuture write(ByteBuf frame, boolean last);

    /** On the event loop. */
    protected abstract void flush();

    /** The socket took so many bytes of a frame or file. On the event loop. */
    protected abstract void took(long bytes);

    /** The socket took the last frame. On the event loop. */
    protected abstract void sentAll();

    /** On the event loop. */
    protected abstract void writeFailed();

    /** The rest of the response can't be read, or is shorter than its head says: breaks it off. On the event loop. */
    protected abstract void restFailed(IOException failure);

    /** The part of a frame that is payload, or null for nothing but the end; called before it is queued or written. */
    protected abstract @Nullable ByteBuf frame(@Nullable ByteBuf payload, boolean last);

    /** Returns whether the client understands informational responses. */
    protected abstract boolean takesInterim();

    /**
     * Writes a head before that of the response, and flushes it.
     *
     * @param whenLeft run when it has left, or never will
     */
    protected abstract void writeInterim(int status, ResponseHeaders fields, Runnable whenLeft);

    @Override
    public final void interim(int status, ResponseHeaders fields, boolean droppable) {
        if (!takesInterim()) {
            return;
        }
        int bytes = SendWindow.weight(fields.size());
        lock.lock();
        try {
            if (window.isGone() || (droppable && interimBytes + bytes > MOST_INTERIM)) {
                return;
            }
            interimBytes += bytes;
        } finally {
            lock.unlock();
        }
        writeInterim(status, fields, () -> interimLeft(bytes));
    }

    private void interimLeft(int bytes) {
        lock.lock();
        try {
            interimBytes -= bytes;
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether informational responses wait for the socket to take them, and nothing else does. */
    public final boolean writesInterimOnly() {
        lock.lock();
        try {
            return interimBytes > 0 && !window.isUsed();
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether bytes wait for the socket to take them. */
    public final boolean writes() {
        lock.lock();
        try {
            return window.isUsed();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public final boolean offer(ByteBuf payload, int most) {
        ByteBuf frame = frame(payload, false);
        int weight = SendWindow.weight(payload.readableBytes());
        boolean schedule = false;
        lock.lock();
        try {
            if (frame == null || !window.offer(weight, most, lastQueued)) {
                payload.release();
                return false;
            }
            add(frame);
            schedule = !scheduled;
            scheduled = true;
        } finally {
            lock.unlock();
        }
        if (schedule) {
            var _ = drainSoon();
        }
        return true;
    }

    @Override
    public final void onRoom(Runnable action) {
        onRoom = action;
    }

    /**
     * Not at once, even on the loop: what is offered together goes out together. Returns false if the server has
     * stopped.
     */
    private boolean drainSoon() {
        try {
            channel.eventLoop().execute(this::drain);
            return true;
        } catch (RejectedExecutionException _) {
            gone();
            return false;
        }
    }

    /**
     * Has one or two frames, or nothing but the end, written, at once or behind what is queued; waits for room first.
     */
    protected final void queue(@Nullable ByteBuf first, @Nullable ByteBuf second, boolean last)
            throws IOException {
        // The head or the end goes with what is written, so there must be something.
        ByteBuf end = second == null && first == null ? Unpooled.EMPTY_BUFFER : second;
        int weight = weight(first) + weight(end);
        boolean onLoop = channel.eventLoop().inEventLoop();
        boolean atOnce;
        boolean schedule;
        lock.lock();
        try {
            window.take(weight, last, onLoop);
            lastQueued = last;
            atOnce = onLoop && nothingQueued();
            schedule = !atOnce && !scheduled;
            if (!atOnce) {
                add(first);
                add(end);
                scheduled = true;
            }
        } catch (IOException | IllegalStateException failure) {
            release(first);
            release(end);
            throw failure;
        } finally {
            lock.unlock();
        }
        if (atOnce) {
            write(first, end, last);
        } else if (schedule && !drainSoon()) {
            throw new IOException("The server has stopped");
        }
    }

    /** Has something written behind all that was written before, as the rest of the response. Does not block. */
    protected final void sendRest(Rest rest) throws IOException {
        boolean atOnce;
        boolean left;
        lock.lock();
        try {
            left = window.isGone();
            atOnce = channel.eventLoop().inEventLoop() && nothingQueued();
            if (!left) {
                window.takeLast();
            }
        } finally {
            lock.unlock();
        }
        if (left) {
            rest.abandon();
            throw new IOException("The client has gone before the response was complete");
        }
        if (atOnce) {
            rest.start();
            return;
        }
        try {
            // Frames that were queued before are written by a task that the loop has already.
            channel.eventLoop().execute(rest::start);
        } catch (RejectedExecutionException _) {
            rest.abandon();
            gone();
            throw new IOException("The server has stopped");
        }
    }

    /** Sends a file by way of buffers of this process, so many bytes in each. */
    protected final void sendCopy(FileSlice file, int frame) throws IOException {
        sendRest(new CopiedFile(file, channel, this, frame));
    }

    /** Begins a rest, which {@link #writeRest} writes: nothing else is on its way then. On the event loop. */
    final void restStarted() {
        giveBack(SendWindow.LEAST);
    }

    /** Writes a part of the rest of the response, without flushing. On the event loop. */
    final ChannelFuture writeRest(ByteBuf bytes, boolean last) {
        lock.lock();
        try {
            window.takeRest(bytes.readableBytes());
        } finally {
            lock.unlock();
        }
        return writeNow(bytes, last);
    }

    @Override
    public final void fileFollows() {
        fileFollows = channel.eventLoop().inEventLoop();
    }

    /** The socket took all of what {@link #sendRest} was given. On the event loop. */
    protected final void restSent() {
        giveBack(SendWindow.LEAST);
        sentAll();
    }

    private boolean giveBack(int weight) {
        lock.lock();
        try {
            return window.giveBack(weight);
        } finally {
            lock.unlock();
        }
    }

    private void add(@Nullable ByteBuf frame) {
        if (frame != null) {
            Queue<ByteBuf> frames = queued == null ? new ArrayDeque<>(4) : queued;
            frames.add(frame);
            queued = frames;
        }
    }

    private boolean nothingQueued() {
        return queued == null || queued.isEmpty();
    }

    /** On the event loop, with nothing ahead. */
    private void write(@Nullable ByteBuf first, @Nullable ByteBuf second, boolean last) {
        if (first != null) {
            var _ = writeNow(first, last && second == null);
        }
        if (second != null) {
            var _ = writeNow(second, last);
        }
        if (!fileFollows) {
            flush();
        }
    }

    private static int weight(@Nullable ByteBuf frame) {
        return frame == null ? 0 : SendWindow.weight(frame.readableBytes());
    }

    private static void release(@Nullable ByteBuf frame) {
        if (frame != null) {
            frame.release();
        }
    }

    private void drain() {
        while (writeNext()) {
            // All that is queued.
        }
        flush();
    }

    /** Returns whether there is more. */
    private boolean writeNext() {
        ByteBuf frame;
        boolean more;
        boolean last;
        lock.lock();
        try {
            frame = queued == null ? null : queued.poll();
            more = !nothingQueued();
            scheduled = more;
            last = lastQueued && !more;
        } finally {
            lock.unlock();
        }
        if (frame != null) {
            var _ = writeNow(frame, last);
        }
        return more;
    }

    private ChannelFuture writeNow(ByteBuf frame, boolean last) {
        int size = frame.readableBytes();
        return write(frame, last).addListener(written -> left(size, last, written));
    }

    private void left(int size, boolean last, Future<?> written) {
        if (!written.isSuccess()) {
            writeFailed();
            return;
        }
        took(size);
        boolean roomAgain = giveBack(SendWindow.weight(size));
        Runnable action = onRoom;
        if (roomAgain && action != null) {
            action.run();
        }
        if (last) {
            sentAll();
        }
    }

    /** The client has gone: wakes the writer, which gets an exception. */
    public final void gone() {
        lock.lock();
        try {
            window.gone();
            if (queued != null) {
                queued.forEach(ByteBuf::release);
                queued = null;
            }
        } finally {
            lock.unlock();
        }
    }
}
