package dev.penstock.service.lane;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The lanes of a pool: one for each key that has a call. Thread-safe. Keys are compared by {@code equals}, and must not
 * change while they have calls.
 */
public final class Lanes {
    private final LaneLimits limits;
    private final ConcurrentHashMap<Object, Lane> lanes = new ConcurrentHashMap<>();
    private final AtomicInteger waiting = new AtomicInteger();

    /** No lanes as yet. */
    public Lanes(LaneLimits limits) {
        this.limits = limits;
    }

    LaneLimits limits() {
        return limits;
    }

    /** Returns the number of keys that have calls at this moment. */
    public int size() {
        return lanes.size();
    }

    /** Returns the number of calls that wait for their keys at this moment. */
    public int waiting() {
        return waiting.get();
    }

    /**
     * Enters a call at the end of its key's lane, and starts it if it is the first.
     *
     * @param start run once, as soon as the call is the first; it must not wait
     * @throws RuntimeException that of {@link LaneLimits#full}
     */
    Turn enter(Object key, String method, Runnable start) {
        while (true) {
            Lane lane = lanes.computeIfAbsent(key, Lane::new);
            Turn turn = new Turn(this, lane, start);
            boolean first;
            boolean refused;
            synchronized (lane) {
                if (lane.ended) {
                    continue;
                }
                first = lane.turns.isEmpty();
                refused = !first && !countWaiting();
                if (!refused) {
                    lane.turns.add(turn);
                }
            }
            if (refused) {
                throw limits.full(method); // tells listeners, and so under no lock
            }
            if (first) {
                turn.start();
            }
            return turn;
        }
    }

    private boolean countWaiting() {
        int most = limits.mostWaiting();
        return waiting.getAndUpdate(now -> now < most ? now + 1 : now) < most;
    }

    /** Leaves a lane; its next turn is started by this thread, or by the one that is starting turns of it already. */
    void exit(Turn turn) {
        Lane lane = turn.lane();
        boolean first;
        synchronized (lane) {
            first = !lane.turns.isEmpty() && lane.turns.getFirst().equals(turn);
            if (!lane.turns.remove(turn)) {
                return;
            }
            if (lane.turns.isEmpty()) {
                lane.ended = true;
                lanes.remove(lane.key, lane);
                return;
            }
            waiting.decrementAndGet();
        }
        if (first && lane.toStart.getAndIncrement() == 0) {
            do {
                startFirst(lane);
            } while (lane.toStart.decrementAndGet() > 0);
        }
    }

    private static void startFirst(Lane lane) {
        Turn next;
        synchronized (lane) {
            next = lane.turns.isEmpty() ? null : lane.turns.getFirst();
        }
        if (next != null) {
            next.start();
        }
    }

    /** Says whether the present thread runs a call for a key. */
    boolean isOwner(Object key) {
        Lane lane = lanes.get(key);
        return lane != null && Thread.currentThread().equals(lane.owner);
    }
}
