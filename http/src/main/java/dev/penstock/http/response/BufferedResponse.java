package dev.penstock.http.response;

import dev.penstock.http.disk.FileSlice;
import io.netty.buffer.ByteBuf;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a response, in the one buffer that is filled before it goes to the transport, encoded where the response
 * is compressed.
 */
abstract class BufferedResponse extends DescribedResponse {
    /** Payload of one full buffer; with the transport's framing it fills 32 KiB. */
    public static final int FULL = 32 * 1024 - 32;

    /** Bytes of payload that the first buffer has room for; what is no more is cheap to hold. */
    public static final int FIRST = 1536;

    /** A writer gives way to others after so many bytes, so that it can't keep a core from short requests. */
    private static final int TURN = 16 * 1024;

    /** How long it only yields to those that wait at the same carrier. */
    private static final long TURN_NANOS = 2_000_000;

    /** What was written and not sent; null for nothing. */
    @Nullable ByteBuf buffer;

    /** A head that goes with it. */
    ResponseTransport.@Nullable Head pendingHead;

    /** There once the body is being compressed. */
    @Nullable Encoding encoding;

    /** Whether the end was sent. */
    boolean complete;

    boolean broken;
    private int turn;
    private long turnStart;

    BufferedResponse(ResponseTransport transport) {
        super(transport);
    }

    /** The body goes on beyond what is held: decides what its head says. */
    abstract void commit() throws IOException;

    /** Returns whether the client was found to have gone while it was written to. */
    public final boolean isBroken() {
        return broken;
    }

    /** Returns whether nothing more can follow: the end has been sent, or no body may follow the head that was. */
    public final boolean isComplete() {
        return complete && !broken;
    }

    final void checkWhole() throws IOException {
        if (broken) {
            throw new IOException("The response is broken: the client has gone");
        }
        if (complete) {
            throw new IOException("The response to HEAD is complete with its head");
        }
    }

    /** Takes bytes as they are, until it turns out that they are to be compressed. */
    final void hold(ByteBuffer source) throws IOException {
        while (source.hasRemaining() && encoding == null) {
            if (complete) {
                source.position(source.limit());
            } else {
                fill(source);
            }
        }
    }

    private void fill(ByteBuffer source) throws IOException {
        ByteBuf target = buffer(source.remaining());
        int room = FULL - target.readableBytes();
        int count = Math.min(room, source.remaining());
        int limit = source.limit();
        source.limit(source.position() + count);
        target.writeBytes(source);
        source.limit(limit);
        if (count == room) {
            emit();
        }
    }

    final void compressed(ByteBuffer source) throws IOException {
        while (source.hasRemaining()) {
            fill(source);
        }
    }

    final ByteBuf buffer(int wanted) {
        ByteBuf target = buffer;
        if (target == null) {
            target =
                    transport.allocate(committed ? FULL : Math.clamp(wanted, leastOfFirst(), FULL));
            buffer = target;
        } else if (target.hasArray() && target.readableBytes() <= FIRST) {
            int whole = target.readableBytes() + wanted;
            if (whole > FIRST) {
                ByteBuf small = target;
                target = transport.allocate(Math.clamp(whole, 2 * FIRST, FULL)).writeBytes(small);
                small.release();
                buffer = target;
            }
        }
        return target;
    }

    /** What is written first may be followed by more. */
    private int leastOfFirst() {
        return knownLength < 0 ? FIRST : (int) Math.min(knownLength, FIRST);
    }

    /** A buffer is full. */
    private void emit() throws IOException {
        if (!committed) {
            commit();
            if (encoding != null || complete) {
                return;
            }
        }
        send(false);
        giveWay(FULL);
    }

    /**
     * Virtual threads are not preempted; without this a writer whose client keeps up holds its core. Yielding lets
     * those run that wait at the same carrier; it takes them again before it looks for what was started elsewhere, as
     * requests are, so that now and then a writer must park.
     */
    @SuppressWarnings("ThreadPriorityCheck")
    final void giveWay(int bytes) {
        turn += bytes;
        if (turn < TURN) {
            return;
        }
        turn = 0;
        long now = System.nanoTime();
        if (turnStart == 0) {
            turnStart = now;
        }
        if (now - turnStart > TURN_NANOS && Thread.currentThread().isVirtual()) {
            LockSupport.parkNanos(1);
            turnStart = System.nanoTime();
        } else {
            Thread.yield();
        }
    }

    /** Adds bytes of a file, up to a position in it, as many as there is room for; returns their number. */
    final int fill(FileSlice file, long from, long to) throws IOException {
        ByteBuf target = buffer((int) Math.min(to - from, FULL));
        int room = (int) Math.min(to - from, FULL - target.readableBytes());
        int start = target.writerIndex();
        int read = file.read(target.ensureWritable(room).nioBuffer(start, room), from);
        if (read < 0) {
            throw new EOFException("The file ends at byte %d, before %d".formatted(from, to));
        }
        target.writerIndex(start + read);
        return read;
    }

    final void emitIfFull() throws IOException {
        if (buffer != null && buffer.readableBytes() == FULL) {
            emit();
        }
    }

    final void send(boolean last) throws IOException {
        if (!last) {
            fit();
        }
        ByteBuf payload = buffer;
        ResponseTransport.Head first = pendingHead;
        buffer = null;
        pendingHead = null;
        try {
            transport.send(first, payload, last);
            complete = last;
        } catch (IOException gone) {
            broken = true;
            throw gone;
        }
    }

    /** Has the operating system send the rest. */
    final void sendRest(FileSlice file) throws IOException {
        try {
            transport.sendFile(file);
        } catch (IOException gone) {
            broken = true;
            throw gone;
        }
        complete = true;
    }

    /** What is flushed may be little, and many of those on their way at once: each must not hold a full buffer. */
    private void fit() {
        ByteBuf held = buffer;
        if (held != null && held.capacity() >= FULL && held.readableBytes() < FULL / 2) {
            buffer = transport.allocate(held.readableBytes()).writeBytes(held);
            held.release();
        }
    }

    /** Nobody writes any more: gives back what compresses it, if it has not ended as it should. */
    public final void closeEncoder() {
        if (encoding != null) {
            encoding.close();
        }
    }

    final void release() {
        if (buffer != null) {
            buffer.release();
            buffer = null;
        }
    }
}
