package dev.penstock.snapshot.work;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The indexes that a plan would build if it were run. While a plan is only explained, one of these is bound to the
 * thread: then no index is built, wherever it is asked for, but noted here. Used by one thread.
 */
public final class IndexesToBuild {
    private static final ScopedValue<IndexesToBuild> CURRENT = ScopedValue.newInstance();

    private final Set<String> notes = new LinkedHashSet<>();

    /** Returns whether this thread only explains. */
    public static boolean areOnlyNoted() {
        return CURRENT.isBound();
    }

    /**
     * Notes an index.
     *
     * @param name what it is called in explanations
     * @param beside whether it takes so long that nobody waits for it
     */
    public static void note(String name, boolean beside) {
        String when = beside ? "built beside, once, while scans answer: " : "built first, once: ";
        CURRENT.get().notes.add(when + name);
    }

    /** Returns what comes of some work that builds no index. */
    public <T> T noted(Supplier<T> work) {
        return ScopedValue.where(CURRENT, this).call(work::get);
    }

    /** Returns what a plan builds before it answers, in words. */
    public List<String> notes() {
        return List.copyOf(notes);
    }
}
