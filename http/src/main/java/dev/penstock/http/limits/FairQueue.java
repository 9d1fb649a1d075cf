package dev.penstock.http.limits;

import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.SequencedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Requests that wait for a place, and how many run, by client. The next place goes to the client that has the fewest,
 * and among equals to the one that had one longest ago; what one client asks for keeps its order. So a thousand
 * requests of one client delay the single one of another by no more than a place. All in the time of a tree of the
 * clients that wait. Guarded by its {@link PermitQueue}'s lock.
 */
final class FairQueue {
    private final Map<Object, Share> shares = new HashMap<>();

    /** The clients that wait, the next one first. */
    private final TreeSet<Share> turns =
            new TreeSet<>(
                    Comparator.comparingInt((Share share) -> share.running)
                            .thenComparingLong(share -> share.turn));

    /** Those of them that can lose a place in the queue, the one with the most last. */
    private final TreeSet<Share> sizes =
            new TreeSet<>(
                    Comparator.comparingInt(Share::size).thenComparingLong(share -> share.number));

    private final int mostForOne;
    private int size;
    private long counter;

    /**
     * @param mostForOne how many a client may run at once, unless it may take all
     */
    FairQueue(int mostForOne) {
        this.mostForOne = mostForOne;
    }

    /** One client's share of the queue. */
    private static final class Share {
        private final Object client;
        private final long number;
        private long turn;
        private int running;

        /** Null where nothing waits. Those that ran before are never refused. */
        private @Nullable SequencedSet<PermitQueue.Waiter> resumed;

        private @Nullable SequencedSet<PermitQueue.Waiter> fresh;

        Share(Object client, long number) {
            this.client = client;
            this.number = number;
            this.turn = number;
        }

        boolean waits() {
            return resumed != null || fresh != null;
        }

        int size() {
            return running
                    + (resumed == null ? 0 : resumed.size())
                    + (fresh == null ? 0 : fresh.size());
        }
    }

    /** How many wait. */
    int size() {
        return size;
    }

    /** Returns whether a client may run one more, if there is a place. */
    boolean mayStart(PermitQueue.Waiter waiter) {
        Share share = shares.get(waiter.client());
        return share == null || share.running < mostForOne || waiter.mayTakeAll();
    }

    /** One of a client's runs that did not wait. */
    void started(Object client) {
        Share share = detached(client);
        share.running++;
        attach(share);
    }

    /** One of a client's runs no more. */
    void ended(Object client) {
        Share share = detached(client);
        share.running--;
        share.turn = ++counter;
        attach(share);
    }

    /** One waits that can be refused yet. */
    void add(PermitQueue.Waiter waiter) {
        Share share = detached(waiter.client());
        if (share.fresh == null) {
            share.fresh = new LinkedHashSet<>();
        }
        size += share.fresh.add(waiter) ? 1 : 0;
        attach(share);
    }

    /** One waits that ran before, and goes before those that have not. */
    void addResumed(PermitQueue.Waiter waiter) {
        Share share = detached(waiter.client());
        if (share.resumed == null) {
            share.resumed = new LinkedHashSet<>();
        }
        size += share.resumed.add(waiter) ? 1 : 0;
        attach(share);
    }

    /** Takes out the next one, which runs from now on; null where none waits that may. */
    PermitQueue.@Nullable Waiter poll() {
        for (Share share : turns) {
            PermitQueue.Waiter next =
                    share.resumed != null ? first(share.resumed) : first(share.fresh);
            // No two clients can have as many as one may.
            if (mayStart(next)) {
                return start(next);
            }
        }
        return null;
    }

    private PermitQueue.Waiter start(PermitQueue.Waiter next) {
        Share share = detached(next.client());
        take(share, next);
        share.running++;
        share.turn = ++counter;
        attach(share);
        return next;
    }

    private static PermitQueue.Waiter first(@Nullable SequencedSet<PermitQueue.Waiter> waiters) {
        if (waiters == null) {
            throw new IllegalStateException("A client without a request that waits had its turn");
        }
        return waiters.getFirst();
    }

    /** Takes one out that does not wait any longer; false where it is not there. */
    boolean remove(PermitQueue.Waiter waiter) {
        Share share = detached(waiter.client());
        boolean waited = take(share, waiter);
        attach(share);
        return waited;
    }

    /**
     * Takes out the newest request of the client that has the most, running and waiting, to make room for one of a
     * client that has at least two fewer.
     *
     * @return null where nobody has so many
     */
    PermitQueue.@Nullable Waiter displaceFor(Object client) {
        if (sizes.isEmpty()) {
            return null;
        }
        Share most = sizes.last();
        Share own = shares.get(client);
        if (most.fresh == null || (own == null ? 0 : own.size()) + 1 >= most.size()) {
            return null;
        }
        PermitQueue.Waiter loser = most.fresh.getLast();
        var _ = remove(loser);
        return loser;
    }

    /** Returns whether a client runs at least two more than the one that is next. */
    boolean hasFarMore(Object client) {
        Share share = shares.get(client);
        return share != null && !turns.isEmpty() && turns.first().running + 1 < share.running;
    }

    private boolean take(Share share, PermitQueue.Waiter waiter) {
        boolean taken = false;
        if (share.fresh != null && share.fresh.remove(waiter)) {
            taken = true;
            share.fresh = share.fresh.isEmpty() ? null : share.fresh;
        } else if (share.resumed != null && share.resumed.remove(waiter)) {
            taken = true;
            share.resumed = share.resumed.isEmpty() ? null : share.resumed;
        }
        size -= taken ? 1 : 0;
        return taken;
    }

    /** A client's share, out of the orders, so that it can change. */
    private Share detached(Object client) {
        Share share = shares.computeIfAbsent(client, _ -> new Share(client, ++counter));
        if (share.waits()) {
            turns.remove(share);
            sizes.remove(share);
        } else {
            // Whoever begins to wait comes after those that do already.
            share.turn = ++counter;
        }
        return share;
    }

    private void attach(Share share) {
        if (share.waits()) {
            turns.add(share);
        }
        if (share.fresh != null) {
            sizes.add(share);
        }
        if (share.size() == 0) {
            shares.remove(share.client);
        }
    }
}
