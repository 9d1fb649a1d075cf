package dev.penstock.transfer.client.resume;

import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The missing bytes of a file, handed out piece by piece to the connections that fetch it. Thread-safe. */
public final class Segments {
    private static final long FIRST_BYTES = 1 << 20;
    private static final long MOST_BYTES = 32 << 20;
    private static final int PIECES_EACH = 4;

    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<ByteSpan> missing = new ArrayDeque<>();
    private int connections;
    private long pieceBytes = Long.MAX_VALUE;

    public Segments(int connections) {
        this.connections = connections;
    }

    /** Begins with these ranges. */
    public void fill(List<ByteSpan> gaps) {
        lock.lock();
        try {
            missing.clear();
            long total = 0;
            for (ByteSpan gap : gaps) {
                if (gap.length() > 0) {
                    missing.add(gap);
                    total += gap.to() == Long.MAX_VALUE ? 0 : gap.length();
                }
            }
            pieceBytes =
                    connections == 1
                            ? Long.MAX_VALUE
                            : Math.clamp(
                                    total / ((long) connections * PIECES_EACH),
                                    FIRST_BYTES,
                                    MOST_BYTES);
        } finally {
            lock.unlock();
        }
    }

    /** Gives up ranges: what is missing is fetched in one piece. */
    public void useOne() {
        lock.lock();
        try {
            connections = 1;
        } finally {
            lock.unlock();
        }
    }

    /** The number of connections that may be of use. */
    public int connections() {
        lock.lock();
        try {
            return connections;
        } finally {
            lock.unlock();
        }
    }

    /** Takes the next piece; nothing when all are taken. */
    public @Nullable ByteSpan next() {
        lock.lock();
        try {
            ByteSpan span = missing.poll();
            if (span == null || span.length() <= pieceBytes) {
                return span;
            }
            long middle = span.from() + pieceBytes;
            missing.addFirst(new ByteSpan(middle, span.to()));
            return new ByteSpan(span.from(), middle);
        } finally {
            lock.unlock();
        }
    }
}
