package dev.penstock.http.container;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A request's body that no handler has begun to read. When the handler is done, it is read and dropped before the
 * response ends: another server may close a connection whose request was not read to its end, and a client that is just
 * sending it would fail by that, and lose the response. Nobody waits for long, neither for the handler nor for the
 * client. On a loop, but for {@link #await} and {@link #complete}.
 */
final class UnreadRest {
    /** The most that is read, in bytes. */
    static final int MOST = 64 * 1024;

    private static final long NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final int STEP = 16 * 1024;

    private final ContainerRequest host;
    private volatile boolean awaited;
    private volatile long sinceNanos;
    private boolean begun;
    private byte @Nullable [] dropped;
    private int read;

    UnreadRest(ContainerRequest host) {
        this.host = host;
    }

    /** All of the response was given to the host, which is to end it afterwards. On any thread. */
    void await() {
        host.allWritten();
        sinceNanos = System.nanoTime();
        awaited = true;
    }

    boolean isAwaited() {
        return awaited;
    }

    /** Returns whether it is being read, as the handler is done. */
    boolean isBegun() {
        return begun;
    }

    /** Begins to read it; returns whether there is nothing to wait for. */
    boolean isOverAtOnce() {
        begun = true;
        sinceNanos = System.nanoTime();
        try {
            host.startReading();
            return false;
        } catch (IOException | RuntimeException _) {
            return true;
        }
    }

    /** Reads what is there; returns whether there is nothing more to wait for. */
    boolean isOver() {
        byte[] into = dropped == null ? new byte[STEP] : dropped;
        dropped = into;
        try {
            while (host.canRead()) {
                int count = host.read(into);
                read += count;
                if (count < 0 || read > MOST) {
                    return true;
                }
            }
            return false;
        } catch (IOException | RuntimeException _) {
            return true;
        }
    }

    boolean isLate(long now) {
        return awaited && now - sinceNanos > NANOS;
    }

    /** Has the host end the response. */
    void complete() {
        awaited = false;
        host.complete();
    }
}
