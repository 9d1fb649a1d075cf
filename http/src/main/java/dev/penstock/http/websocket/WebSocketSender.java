package dev.penstock.http.websocket;

import dev.penstock.http.loop.Loop;
import dev.penstock.http.response.ResponseTransport;
import dev.penstock.http.response.SendWindow;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The sending side of a WebSocket: one message at a time, cut into frames, and none after the end was announced. Knows
 * for that in which phase the connection is. Thread-safe.
 */
final class WebSocketSender {
    /** Held while a message is sent, all its frames. */
    private final ReentrantLock sending = new ReentrantLock();

    /** Held while a frame is given to the transport, and while the phase changes. */
    private final ReentrantLock lock = new ReentrantLock();

    private final Condition changed = lock.newCondition();
    private volatile Phase phase = Phase.NEW;
    private @Nullable Loop loop;
    private @Nullable ResponseTransport transport;

    /** The phase of a connection. */
    enum Phase {
        NEW,
        OPEN,
        /** The end was announced, and the client's answer is awaited. */
        CLOSING,
        /** Nothing matters any more that comes. */
        ENDING,
        CLOSED
    }

    /** The handshake was answered. On the event loop. */
    void open(Loop loop, ResponseTransport transport) {
        this.loop = loop;
        this.transport = transport;
        phase = Phase.OPEN;
    }

    Phase phase() {
        return phase;
    }

    boolean isOpen() {
        return phase == Phase.OPEN;
    }

    /** The connection has ended. On the event loop. */
    void closed() {
        lock.lock();
        try {
            phase = Phase.CLOSED;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Sends a message in as many frames as it needs; waits while the client is slow. */
    void send(int opcode, ByteBuffer message) throws IOException {
        try {
            sending.lockInterruptibly();
            try {
                int next = opcode;
                do {
                    int size = Math.min(message.remaining(), Frames.LARGEST);
                    ByteBuffer part = message.slice(message.position(), size);
                    message.position(message.position() + size);
                    sendFrame(next, !message.hasRemaining(), part);
                    next = Frames.CONTINUATION;
                } while (message.hasRemaining());
            } finally {
                sending.unlock();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("Interrupted while sending to a WebSocket");
        }
    }

    private void sendFrame(int opcode, boolean last, ByteBuffer part)
            throws IOException, InterruptedException {
        lock.lockInterruptibly();
        try {
            while (isOpen()) {
                if (give(opcode, last, part.duplicate())) {
                    return;
                }
                if (loop != null && loop.isHere()) {
                    throw new IllegalStateException(
                            "What never blocks can't send to a WebSocket whose client is slow: offer");
                }
                changed.await();
            }
            throw new IOException("The WebSocket is closed");
        } finally {
            lock.unlock();
        }
    }

    /** Sends a message of one frame, if there is room for it now and no other is being sent. */
    boolean offer(int opcode, ByteBuffer message) {
        if (message.remaining() > Frames.LARGEST) {
            throw new IllegalArgumentException(
                    "A message of %d bytes can't be offered, %d at most: send it from a thread"
                            .formatted(message.remaining(), Frames.LARGEST));
        }
        if (!sending.tryLock()) {
            return false;
        }
        try {
            return offerFrame(opcode, message);
        } finally {
            sending.unlock();
        }
    }

    private boolean offerFrame(int opcode, ByteBuffer message) {
        lock.lock();
        try {
            boolean given = isOpen() && give(opcode, true, message.duplicate());
            if (given) {
                message.position(message.limit());
            }
            return given;
        } finally {
            lock.unlock();
        }
    }

    private boolean give(int opcode, boolean last, ByteBuffer part) {
        ResponseTransport known = Objects.requireNonNull(transport, "open");
        ByteBuf frame = Frames.write(known.allocate(part.remaining() + 4), opcode, last, part);
        return known.offer(frame, SendWindow.BYTES);
    }

    /** Has whoever waits for room look again. */
    void signal() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Goes from a phase to a later one; nothing is sent after the first. Returns whether this call has done so. */
    boolean leave(Phase from, Phase to) {
        lock.lock();
        try {
            boolean moved = phase == from;
            if (moved) {
                phase = to;
                changed.signalAll();
            }
            return moved;
        } finally {
            lock.unlock();
        }
    }
}
