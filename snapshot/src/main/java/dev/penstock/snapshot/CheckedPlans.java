package dev.penstock.snapshot;

import dev.penstock.query.Plan;
import org.jspecify.annotations.Nullable;

/**
 * The plans that were found to be answered a moment ago, so that they are not checked once more when they are opened: a
 * stream asks whether its plan is answered before it opens it. Each thread's last one is kept until it is opened, or
 * the next of the same place comes, of the same thread or another one: sixteen at the most. Thread-safe.
 */
final class CheckedPlans {
    private static final int PLACES = 16;

    /** Places of different threads are not in one line of a cache. */
    private static final int STRIDE = 16;

    /**
     * A plan that was checked.
     *
     * @param asked the plan itself
     * @param answered the plan as it is answered
     */
    private record Checked(Plan asked, Plan answered) {}

    private final @Nullable Checked[] kept = new Checked[PLACES * STRIDE];

    private static int place() {
        return ((int) Thread.currentThread().threadId() & (PLACES - 1)) * STRIDE;
    }

    void keep(Plan asked, Plan answered) {
        kept[place()] = new Checked(asked, answered);
    }

    /** Returns how a plan is answered, where it was kept, and keeps it no longer; else null. */
    @SuppressWarnings(
            "ReferenceEquality") // an equal plan may hold other subqueries; it is checked anew
    @Nullable Plan take(Plan asked) {
        Checked last = kept[place()];
        if (last == null || last.asked != asked) {
            return null;
        }
        kept[place()] = null;
        return last.answered;
    }
}
