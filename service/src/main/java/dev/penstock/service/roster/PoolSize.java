package dev.penstock.service.roster;

import dev.penstock.service.handover.Handover;

/** The number of instances of a pool: it grows with the calls that wait, shrinks with time, and is set. Thread-safe. */
final class PoolSize<I extends PooledInstance> {
    private final RosterSettings settings;
    private final InstanceTable<I> table;
    private final Handover<I> handover;
    private final InstanceStops<I> stops;
    private final InstanceStarts<I> starts;

    /** The least idle instances that were seen since some time; guarded by the table's lock. */
    private int leastIdle = Integer.MAX_VALUE;

    private long leastIdleSince = System.nanoTime();

    PoolSize(
            RosterSettings settings,
            InstanceTable<I> table,
            Handover<I> handover,
            InstanceStops<I> stops,
            InstanceStarts<I> starts) {
        this.settings = settings;
        this.table = table;
        this.handover = handover;
        this.stops = stops;
        this.starts = starts;
    }

    /** Notes that a call waits: the pool may grow. */
    void callWaits() {
        if (!table.isGrowable()) {
            return;
        }
        table.lock.lock();
        try {
            if (growsAtOnce() && table.starting < handover.waiting() && table.mayGrow()) {
                starts.startAnother();
                table.publish();
            }
        } finally {
            table.lock.unlock();
        }
    }

    /** Starts an instance for a call that finds the queue full. Returns whether it is to wait for it. */
    boolean growForRefused() {
        if (!table.isGrowable()) {
            return false;
        }
        table.lock.lock();
        try {
            if (!growsAtOnce() || !table.mayGrow()) {
                return false;
            }
            starts.startAnother();
            table.publish();
            return true;
        } finally {
            table.lock.unlock();
        }
    }

    private boolean growsAtOnce() {
        return settings.targetQueueNanos() == 0 || table.live + table.starting == 0;
    }

    void resize(int least, int most) {
        table.lock.lock();
        try {
            if (table.closed) {
                return;
            }
            table.min = least;
            table.max = most;
            stops.forgetStopped();
            int present = table.live + table.starting;
            table.owed = Math.max(0, Math.min(table.owed, most - present));
            int wanted = Math.min(most, present + table.owed + handover.waiting());
            if (settings.targetQueueNanos() > 0 && present > 0) {
                wanted = least;
            }
            wanted = Math.max(least, wanted);
            while (table.live + table.starting + table.owed < wanted) {
                starts.startAnother();
            }
            table.publish();
            starts.wake();
        } finally {
            table.lock.unlock();
        }
        stops.sweep();
        starts.tellResized();
    }

    /** Grows when calls have waited for too long, and shrinks when instances were not needed for a while. */
    void scale(long now) {
        if (table.isGrowable() && settings.targetQueueNanos() > 0) {
            growAfter(now);
        }
        boolean shrunk;
        table.lock.lock();
        try {
            leastIdle = Math.min(leastIdle, table.live - table.busy());
            if (now - leastIdleSince < settings.shrinkNanos()) {
                return;
            }
            int excess =
                    table.closed ? 0 : Math.min(leastIdle, table.live + table.starting - table.min);
            leastIdle = Integer.MAX_VALUE;
            leastIdleSince = now;
            stops.retireIdle(excess);
            table.publish();
            shrunk = excess > 0;
        } finally {
            table.lock.unlock();
        }
        if (shrunk) {
            Thread.startVirtualThread(starts::tellResized);
        }
    }

    private void growAfter(long now) {
        if (now - handover.waitingSince(now) <= settings.targetQueueNanos()) {
            return;
        }
        table.lock.lock();
        try {
            int step = table.starting > 0 ? 0 : Math.max(1, table.live / 4);
            for (int i = 0; i < step && table.mayGrow(); i++) {
                starts.startAnother();
            }
            table.publish();
        } finally {
            table.lock.unlock();
        }
    }
}
