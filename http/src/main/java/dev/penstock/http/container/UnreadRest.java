package dev.penstock.http.container;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The rest of a request's body that no handler has read. It is read and dropped before the response ends: another
 * server may close a connection whose request was not read to its end, and a client that is just sending it would fail
 * by that, and lose the response. It is not read for long, and not beyond {@link #MOST}. On a loop.
 */
final class UnreadRest {
    /** The most that is read, in bytes. */
    static final int MOST = 64 * 1024;

    private static final long NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final int STEP = 16 * 1024;

    private final ContainerRequest host;
    private final long startNanos = System.nanoTime();
    private byte @Nullable [] dropped;
    private int read;

    /** Of a request whose response was given to the other server, all of it, and whose handler is done. */
    UnreadRest(ContainerRequest host) {
        this.host = host;
    }

    /**
     * Begins; returns whether there is nothing to wait for.
     *
     * @param isReading whether the body was asked for before
     */
    boolean isOverAtOnce(boolean isReading) {
        if (isReading) {
            return isOver();
        }
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
        return now - startNanos > NANOS;
    }
}
