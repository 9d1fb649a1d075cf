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
    /** Held while a message is sent, all its frames, by those who wait for room. */
    private final ReentrantLock sending = new ReentrantLock();

    /** Held while a frame is given to the transport, and while the phase changes. */
    private final ReentrantLock lock = new ReentrantLock();

    private final Condition changed = lock.newCondition();

    /** The base-2 logarithm of the window with which messages are compressed; 0 where they are not. */
    private final int windowBits;

    private final Runnable whenUnfinished;

    private volatile Phase phase = Phase.NEW;

    /** Whether the first frame of a message was given to the transport and the last was not. Under the lock. */
    private boolean inParts;

    /** Whether a sender waits for room, which is its own when it comes. Under the lock. */
    private boolean awaitsRoom;

    /** When the latest message was given to the transport. */
    private volatile long sentNanos;

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

    /**
     * That of a WebSocket which will be opened.
     *
     * @param windowBits the base-2 logarithm of the window with which messages are compressed; 0 where they are not
     * @param whenUnfinished ends the WebSocket, since a message was begun that can't go on; on any thread
     */
    WebSocketSender(int windowBits, Runnable whenUnfinished) {
        this.windowBits = windowBits;
        this.whenUnfinished = whenUnfinished;
    }

    /** The handshake was answered. On the event loop. */
    void open(Loop loop, ResponseTransport transport) {
        this.loop = loop;
        this.transport = transport;
        sentNanos = System.nanoTime();
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

    /** When a message was last sent; what {@link System#nanoTime} said. On any thread. */
    long sentNanos() {
        return sentNanos;
    }

    /** Sends a message in as many frames as it needs; waits while the client is slow. */
    void send(int opcode, ByteBuffer message) throws IOException {
        try {
            sending.lockInterruptibly();
            try {
                if (message.remaining() <= Frames.LARGEST) {
                    FirstFrame frame = FirstFrame.of(opcode, message.slice(), windowBits, true);
                    message.position(message.limit());
                    sendFrame(frame.opcode(), true, frame.payload());
                } else {
                    sendParts(opcode, message);
                }
            } finally {
                // Another message can't follow the part of one.
                if (leavesUnfinished()) {
                    whenUnfinished.run();
                }
                sending.unlock();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("Interrupted while sending to a WebSocket");
        }
    }

    private void sendParts(int opcode, ByteBuffer message)
            throws IOException, InterruptedException {
        ByteBuffer beginning = message.slice(message.position(), Frames.LARGEST);
        FirstFrame first = FirstFrame.of(opcode, beginning, windowBits, false);
        message.position(message.position() + Frames.LARGEST);
        sendFrame(first.opcode(), false, first.payload());
        while (message.hasRemaining()) {
            int size = Math.min(message.remaining(), Frames.LARGEST);
            ByteBuffer part = message.slice(message.position(), size);
            message.position(message.position() + size);
            boolean last = !message.hasRemaining();
            ByteBuffer payload =
                    first.isCompressed() ? MessageDeflater.compress(part, windowBits, last) : part;
            sendFrame(Frames.CONTINUATION, last, payload);
        }
    }

    private boolean leavesUnfinished() {
        lock.lock();
        try {
            return inParts;
        } finally {
            lock.unlock();
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
                awaitsRoom = true;
                try {
                    changed.await();
                } finally {
                    awaitsRoom = false;
                }
            }
            throw new IOException("The WebSocket is closed");
        } finally {
            lock.unlock();
        }
    }

    /**
     * Sends a message, if there is room for it now, and neither is a message in several frames under way
     * nor does another wait for room. Others that are offered meanwhile are no obstacle.
     */
    boolean offer(OfferedMessage message) {
        if (!isOpen()) {
            return false;
        }
        FirstFrame frame = message.frame(windowBits);
        lock.lock();
        try {
            return isOpen()
                    && !inParts
                    && !awaitsRoom
                    && give(frame.opcode(), true, frame.payload().duplicate());
        } finally {
            lock.unlock();
        }
    }

    private boolean give(int opcode, boolean last, ByteBuffer part) {
        ResponseTransport known = Objects.requireNonNull(transport, "open");
        ByteBuf frame = Frames.write(known.allocate(part.remaining() + 4), opcode, last, part);
        boolean given = known.offer(frame, SendWindow.BYTES);
        if (given) {
            inParts = !last;
            sentNanos = System.nanoTime();
        }
        return given;
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
