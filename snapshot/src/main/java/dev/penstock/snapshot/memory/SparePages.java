package dev.penstock.snapshot.memory;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The pages that versions of tables had until they ended, kept for a while for the next one: a column of it is as long
 * as that of the version before, and the system zeroes new pages, which takes as long as to fill them. Bounded;
 * thread-safe.
 *
 * @param <P> pages
 */
final class SparePages<P extends SparePages.Spare> {
    /** Pages that nobody uses. */
    interface Spare {
        /** Their size. */
        long bytes();

        /** Gives them back to the system. */
        void unmap();
    }

    private final long most;
    private final Executor later;
    private final Map<Long, Deque<P>> sizes = new HashMap<>();
    private long bytes;

    /**
     * @param most how many bytes are kept at most
     * @param later runs tasks after the time for which pages are kept
     */
    SparePages(long most, Executor later) {
        this.most = most;
        this.later = later;
    }

    /** Keeps pages, or gives them back to the system where there are too many already. */
    void add(P spare) {
        if (!keep(spare)) {
            spare.unmap();
            return;
        }
        boolean isExpiring = false;
        try {
            later.execute(() -> expire(spare));
            isExpiring = true;
        } finally {
            if (!isExpiring) {
                // There was no memory for a task, say.
                expire(spare);
            }
        }
    }

    private synchronized boolean keep(P spare) {
        if (spare.bytes() > most - bytes) {
            return false;
        }
        bytes += spare.bytes();
        sizes.computeIfAbsent(spare.bytes(), _ -> new ArrayDeque<>()).addLast(spare);
        return true;
    }

    private void expire(P spare) {
        if (remove(spare)) {
            spare.unmap();
        }
    }

    private synchronized boolean remove(P spare) {
        Deque<P> same = sizes.get(spare.bytes());
        if (same == null || !same.remove(spare)) {
            return false;
        }
        removed(spare.bytes(), same);
        return true;
    }

    /** Returns pages of exactly that size, with whatever was in them; null if there are none. */
    synchronized @Nullable P take(long size) {
        Deque<P> same = sizes.get(size);
        if (same == null) {
            return null;
        }
        P spare = same.removeLast();
        removed(size, same);
        return spare;
    }

    private void removed(long size, Deque<P> same) {
        bytes -= size;
        if (same.isEmpty()) {
            sizes.remove(size);
        }
    }

    /** Returns how many sizes there are. */
    synchronized int sizes() {
        return sizes.size();
    }

    /** Returns the bytes that are kept. */
    synchronized long bytes() {
        return bytes;
    }

    /** Gives all back to the system. */
    void clear() {
        for (P spare : takeAll()) {
            spare.unmap();
        }
    }

    private synchronized Deque<P> takeAll() {
        Deque<P> all = new ArrayDeque<>();
        sizes.values().forEach(all::addAll);
        sizes.clear();
        bytes = 0;
        return all;
    }
}
