package dev.penstock.service.handover;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A lock-free stack of idle permits: R. K. Treiber's (IBM RJ 5118, 1986) with the links in the permits, so that nothing
 * is allocated.
 *
 * <p>The head is one {@code long}: a version, which each change raises, and the index of the topmost permit. The
 * version lets a compare and set fail when the same permit has been taken and put back meanwhile.
 */
final class IdleStack<P extends Permit> {
    private static final VarHandle HEAD;

    static {
        try {
            HEAD = MethodHandles.lookup().findVarHandle(IdleStack.class, "head", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** The version above, one more than the index of the topmost permit below; 0 there when the stack is empty. */
    private volatile long head;

    /**
     * The permits by index. An element is written before its permit is pushed, and never while that is in the stack.
     */
    private volatile @Nullable Permit[] permits = new @Nullable Permit[16];

    /** Makes a permit known before its first push. One thread at a time. */
    void register(P permit) {
        @Nullable Permit[] known = permits;
        if (permit.index >= known.length) {
            known = Arrays.copyOf(known, Math.max(permit.index + 1, known.length * 2));
        }
        known[permit.index] = permit;
        permits = known;
    }

    void push(P permit) {
        while (true) {
            long seen = head;
            permit.below = (int) seen;
            if (HEAD.compareAndSet(this, seen, next(seen, permit.index + 1))) {
                return;
            }
            Thread.onSpinWait();
        }
    }

    @SuppressWarnings("unchecked") // only push and register put something in
    @Nullable P pop() {
        while (true) {
            long seen = head;
            int top = (int) seen;
            if (top == 0) {
                return null;
            }
            Permit permit = permits[top - 1];
            if (permit != null && HEAD.compareAndSet(this, seen, next(seen, permit.below))) {
                return (P) permit;
            }
            Thread.onSpinWait();
        }
    }

    private static long next(long seen, int top) {
        return ((seen >>> 32) + 1) << 32 | top;
    }
}
