package dev.penstock.snapshot.work;

import java.util.ArrayList;
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

    private final Set<String> names = new LinkedHashSet<>();

    /** Returns whether this thread only explains. */
    public static boolean areOnlyNoted() {
        return CURRENT.isBound();
    }

    /** Notes an index, by what it is called in explanations. */
    public static void note(String name) {
        CURRENT.get().names.add(name);
    }

    /** Returns what comes of some work that builds no index. */
    public <T> T noted(Supplier<T> work) {
        return ScopedValue.where(CURRENT, this).call(work::get);
    }

    /** Returns what a plan builds before it answers, in words. */
    public List<String> notes() {
        List<String> notes = new ArrayList<>();
        names.forEach(name -> notes.add("built first, once: " + name));
        return notes;
    }
}
