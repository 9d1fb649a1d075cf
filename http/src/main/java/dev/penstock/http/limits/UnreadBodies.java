package dev.penstock.http.limits;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How many bytes of requests' bodies lie in a server without a handler that reads them, and how many may: each may be
 * small, but there may be very many of them. Messages of WebSockets that are not complete count too. Thread-safe.
 */
public final class UnreadBodies {
    private static final int SHARE_OF_HEAP = 8;
    private static final long LEAST = 1 << 20;
    private static final long MOST = 256L << 20;

    private final long limit;
    private final AtomicLong bytes = new AtomicLong();

    public UnreadBodies(long limit) {
        this.limit = limit;
    }

    /** An eighth of what the heap may have. The memory for buffers is as large, unless set. */
    public static long defaultLimit() {
        return Math.clamp(Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP, LEAST, MOST);
    }

    /** Counts bytes if there is room for them. What finds none takes none from others, not even for a moment. */
    public boolean tryAdd(long more) {
        long now = bytes.get();
        while (now + more <= limit) {
            if (bytes.compareAndSet(now, now + more)) {
                return true;
            }
            now = bytes.get();
        }
        return false;
    }

    /** Counts bytes that are there, whether or not there is room for them. */
    public void add(long more) {
        bytes.addAndGet(more);
    }

    public void remove(long less) {
        bytes.addAndGet(-less);
    }

    public long bytes() {
        return bytes.get();
    }

    /** What one holder has of them, which changes. For one thread at a time. */
    public final class Share {
        private long counted;
        private boolean ended;

        /** Counts what is held now instead of what was held before, unless it is more and there is no room for it. */
        public boolean set(long now) {
            long more = ended ? 0 : now - counted;
            if (more > 0 && !tryAdd(more)) {
                return false;
            }
            if (more < 0) {
                remove(-more);
            }
            counted += more;
            return true;
        }

        /** Nothing is held any more, nor will be. */
        public void end() {
            var _ = set(0);
            ended = true;
        }
    }
}
