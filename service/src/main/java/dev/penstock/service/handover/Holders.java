package dev.penstock.service.handover;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The permits that threads hold, found by thread, so that a call within a call is noticed. Thread-safe; allocates
 * nothing.
 *
 * <p>A table of slots by a hash of the thread's number. Who finds the slot taken by another thread counts itself as one
 * that did not fit; only while there is such a one does a thread that is not in its slot search all permits. A
 * thread-local variable would do the same, but cost each new virtual thread a map.
 */
public final class Holders<P extends Permit> {
    private static final int LEAST_SLOTS = 64;
    private static final int MOST_SLOTS = 16_384;

    /** Up to this many slots each has a line of the processor's cache for itself. */
    private static final int MOST_SPREAD = 512;

    private static final int SPREAD_SHIFT = 4;

    /** Spreads consecutive numbers: 2 to the 32nd by the golden ratio (Knuth, TAOCP 3, 6.4). */
    private static final int GOLDEN_RATIO = 0x9E3779B9;

    private static final VarHandle SLOTS = MethodHandles.arrayElementVarHandle(Permit[].class);

    private final @Nullable Permit[] slots;
    private final int hashShift;
    private final int spreadShift;
    private final Supplier<List<P>> all;
    private final AtomicInteger unfit = new AtomicInteger();

    /**
     * Creates an empty table.
     *
     * @param size about how many permits there are
     * @param all the permits there are, those included that are in no stack any more
     */
    public Holders(int size, Supplier<List<P>> all) {
        int wanted = Math.clamp(4L * size, LEAST_SLOTS, MOST_SLOTS);
        int bits = Integer.SIZE - Integer.numberOfLeadingZeros(wanted - 1);
        hashShift = Integer.SIZE - bits;
        spreadShift = 1 << bits <= MOST_SPREAD ? SPREAD_SHIFT : 0;
        slots = new @Nullable Permit[1 << (bits + spreadShift)];
        this.all = all;
    }

    /** Returns the permit that the present thread holds. */
    @SuppressWarnings("unchecked") // only enter puts something in
    public @Nullable P find(Thread thread) {
        Permit there = (@Nullable Permit) SLOTS.getOpaque(slots, slot(thread));
        if (there != null && isHeld(there, thread)) {
            return (P) there;
        }
        return unfit.getOpaque() == 0 ? null : search(thread);
    }

    private @Nullable P search(Thread thread) {
        List<P> permits = all.get();
        for (int i = 0; i < permits.size(); i++) { // an iterator would be an allocation
            P each = permits.get(i);
            if (isHeld(each, thread)) {
                return each;
            }
        }
        return null;
    }

    /** Notes that the present thread holds a permit, whose run it has begun. */
    public void enter(Thread thread, P permit) {
        int slot = slot(thread);
        if (SLOTS.getOpaque(slots, slot) == null
                && SLOTS.compareAndSet(slots, slot, null, permit)) {
            permit.slot = slot;
        } else {
            permit.slot = -1;
            unfit.incrementAndGet();
        }
    }

    /** Notes that the thread that held a permit does so no more; on that thread. */
    public void leave(P permit) {
        if (permit.slot < 0) {
            unfit.decrementAndGet();
        } else {
            SLOTS.setRelease(slots, permit.slot, null);
        }
    }

    @SuppressWarnings("ReferenceEquality") // threads may define equals
    private static boolean isHeld(Permit permit, Thread thread) {
        return permit.owner() == thread;
    }

    private int slot(Thread thread) {
        int hash = (int) thread.threadId() * GOLDEN_RATIO;
        return (hash >>> hashShift) << spreadShift;
    }
}
