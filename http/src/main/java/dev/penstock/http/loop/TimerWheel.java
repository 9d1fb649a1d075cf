package dev.penstock.http.loop;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Timers of one event loop, to the millisecond, at the same small cost however many there are. Only for the thread of
 * that loop.
 *
 * <p>A timer is linked into the slot of the tick at which it is due: there are {@link #SLOTS} fine ones, a tick each,
 * and as many coarse ones of {@link #SLOTS} ticks, whose timers move to the fine ones when their time has nearly come.
 * So adding and removing are a few assignments, and there is no object but the timer itself, which is the thing that
 * waits ({@link Entry}). The loop is woken for a slot that has something in it, and for nothing else, save once every
 * {@link #SLOTS} ticks while something is in a coarse one.
 *
 * <p>A timer is never early, and late by at most a tick and what the loop is busy with.
 */
public final class TimerWheel {
    private static final System.Logger LOGGER = System.getLogger("dev.penstock.http");
    static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int BITS = 10;
    private static final int SLOTS = 1 << BITS;
    private static final int NOWHERE = -1;
    private static final int DUE = -2;
    private static final long NEVER = Long.MAX_VALUE;

    private final LongSupplier nanoTime;
    private final Alarm alarm;
    private final long startNanos;
    private final @Nullable Entry[] slots = new @Nullable Entry[2 * SLOTS];

    /** A bit for each fine slot that has an entry. */
    private final long[] occupied = new long[SLOTS / Long.SIZE];

    private int coarse;
    private int size;
    private long tick;
    private long alarmTick = NEVER;

    /** Something that waits for its time; in one wheel at the most. */
    public abstract static class Entry {
        private @Nullable Entry next;
        private @Nullable Entry previous;
        private long dueTick;
        private int slot = NOWHERE;

        /** Its time has come; it is in the wheel no more. */
        public abstract void due();
    }

    /** Has {@link TimerWheel#turn} called. */
    @FunctionalInterface
    public interface Alarm {
        /** So many nanoseconds from now; replaces what was asked for before. */
        void set(long delayNanos);
    }

    public TimerWheel(LongSupplier nanoTime, Alarm alarm) {
        this.nanoTime = nanoTime;
        this.alarm = alarm;
        this.startNanos = nanoTime.getAsLong();
    }

    public int size() {
        return size;
    }

    /** The time by its clock. */
    public long nanoTime() {
        return nanoTime.getAsLong();
    }

    /** Adds what is in no wheel. */
    public void add(Entry entry, long dueNanos) {
        long now = (nanoTime.getAsLong() - startNanos) / TICK_NANOS;
        if (size == 0) {
            tick = now;
        }
        long due = Math.ceilDiv(dueNanos - startNanos, TICK_NANOS);
        entry.dueTick = Math.max(due, tick + 1);
        size++;
        place(entry);
        setAlarm(now);
    }

    /** Takes out what may be in it; does nothing where it is not. */
    public void remove(Entry entry) {
        if (entry.slot >= 0) {
            unlink(entry);
            size--;
        }
        entry.slot = NOWHERE;
    }

    /** Whatever is due by now. */
    public void turn() {
        alarmTick = NEVER;
        long now = (nanoTime.getAsLong() - startNanos) / TICK_NANOS;
        List<Entry> due = new ArrayList<>();
        while (tick < now && size > due.size()) {
            tick++;
            int slot = (int) (tick & (SLOTS - 1));
            if (slot == 0) {
                refine();
            }
            for (Entry entry = slots[slot]; entry != null; entry = slots[slot]) {
                unlink(entry);
                entry.slot = DUE;
                due.add(entry);
            }
        }
        size -= due.size();
        for (Entry entry : due) {
            // One before it may have removed it.
            if (entry.slot == DUE) {
                entry.slot = NOWHERE;
                ring(entry);
            }
        }
        setAlarm(now);
    }

    /** One that fails must not keep others waiting for ever: they are in no slot any more. */
    @SuppressWarnings("CatchingUnchecked")
    private static void ring(Entry entry) {
        try {
            entry.due();
        } catch (Throwable failure) {
            LOGGER.log(
                    System.Logger.Level.WARNING, "What was to be done at a time failed", failure);
        }
    }

    /** Moves what is due within the next ticks from its coarse slot to fine ones. */
    private void refine() {
        Entry entry = slots[coarseSlot(tick)];
        while (entry != null) {
            Entry next = entry.next;
            if (entry.dueTick - tick < SLOTS) {
                unlink(entry);
                place(entry);
            }
            entry = next;
        }
    }

    private static int coarseSlot(long tick) {
        return SLOTS + (int) (tick >> BITS & (SLOTS - 1));
    }

    private void place(Entry entry) {
        boolean fine = entry.dueTick - tick < SLOTS;
        int slot = fine ? (int) (entry.dueTick & (SLOTS - 1)) : coarseSlot(entry.dueTick);
        if (fine) {
            occupied[slot / Long.SIZE] |= 1L << slot;
        } else {
            coarse++;
        }
        Entry first = slots[slot];
        entry.slot = slot;
        entry.next = first;
        entry.previous = null;
        if (first != null) {
            first.previous = entry;
        }
        slots[slot] = entry;
    }

    private void unlink(Entry entry) {
        Entry next = entry.next;
        Entry previous = entry.previous;
        if (next != null) {
            next.previous = previous;
        }
        if (previous != null) {
            previous.next = next;
        } else {
            slots[entry.slot] = next;
        }
        if (entry.slot >= SLOTS) {
            coarse--;
        } else if (slots[entry.slot] == null) {
            occupied[entry.slot / Long.SIZE] &= ~(1L << entry.slot);
        }
        entry.next = null;
        entry.previous = null;
    }

    private void setAlarm(long now) {
        long next = nextTick();
        if (next < alarmTick) {
            long delay = next * TICK_NANOS + startNanos - nanoTime.getAsLong();
            // Where it can't be set, for want of memory, the next timer sets it.
            alarmTick = NEVER;
            alarm.set(next <= now ? 0 : Math.max(0, delay));
            alarmTick = next;
        }
    }

    /** The next tick for which there may be something to do. */
    private long nextTick() {
        long next = coarse == 0 ? NEVER : ((tick >> BITS) + 1) << BITS;
        int from = (int) (tick + 1 & (SLOTS - 1));
        // The first word is looked at twice: at first for what is after the tick, in the end for
        // what is before.
        for (int i = 0; i <= occupied.length; i++) {
            int word = (from / Long.SIZE + i) % occupied.length;
            long bits = occupied[word];
            if (i == 0) {
                bits &= -1L << from;
            } else if (i == occupied.length) {
                bits &= ~(-1L << from);
            }
            if (bits != 0) {
                int slot = word * Long.SIZE + Long.numberOfTrailingZeros(bits);
                int distance = slot - from & (SLOTS - 1);
                return Math.min(next, tick + 1 + distance);
            }
        }
        return next;
    }
}
