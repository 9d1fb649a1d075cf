package dev.penstock.http.limits;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A counter of the bytes of requests' bodies that no handler reads yet, with a limit: each may be small, but there may
 * be very many of them. Messages of WebSockets that are not complete count too. Thread-safe.
 */
public final class UnreadBodies {
    private static final int SHARE_OF_HEAP = 8;
    private static final int SHARE_OF_CLIENT = 4;
    private static final long LEAST = 1 << 20;
    private static final long MOST = 256L << 20;

    private final long limit;
    private final AtomicLong bytes = new AtomicLong();

    /** What each client holds in shares; guarded by itself. */
    private final Map<Long, Long> ofClients = new HashMap<>();

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

    /**
     * Takes away the bytes of a body that is to be dropped, unless there is room for so many more. Of those that share
     * too little room, each that is dropped makes room for the others at once, so that never all of them are.
     */
    public boolean removeUnlessRoom(long less, long more) {
        long now = bytes.get();
        while (now + more > limit) {
            if (bytes.compareAndSet(now, now - less)) {
                return true;
            }
            now = bytes.get();
        }
        return false;
    }

    public long bytes() {
        return bytes.get();
    }

    /** Counts bytes of a client if there is room for them, and for as many of its own. */
    private boolean tryAdd(Long client, long more) {
        synchronized (ofClients) {
            long sum = ofClients.getOrDefault(client, 0L) + more;
            if (sum > limit / SHARE_OF_CLIENT || !tryAdd(more)) {
                return false;
            }
            ofClients.put(client, sum);
            return true;
        }
    }

    private void remove(Long client, long less) {
        synchronized (ofClients) {
            ofClients.computeIfPresent(client, (_, sum) -> sum == less ? null : sum - less);
        }
        remove(less);
    }

    /**
     * One holder's part of them, which changes, and which may stay for as long as its client likes: so all of a
     * client's together are at most a quarter of the limit. For one thread at a time.
     */
    public final class Share {
        private final Long client;
        private long counted;
        private boolean ended;

        /**
         * @param client the client's key
         */
        public Share(Long client) {
            this.client = client;
        }

        /** Counts what is held now instead of what was held before, unless it is more and there is no room for it. */
        public boolean set(long now) {
            long more = ended ? 0 : now - counted;
            if (more > 0 && !tryAdd(client, more)) {
                return false;
            }
            if (more < 0) {
                remove(client, -more);
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
