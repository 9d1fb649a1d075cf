package dev.penstock.snapshot.index;

import dev.penstock.query.QueryException;
import dev.penstock.snapshot.memory.Shortage;
import dev.penstock.snapshot.work.IndexesToBuild;
import dev.penstock.snapshot.work.WorkerThreads;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An index that is built when it is first asked for, once. Where there is no memory for it, that is tried again only
 * some seconds later, and then after twice as long each time. Thread-safe.
 */
final class LazyIndex<T> {
    private final Supplier<String> name;
    private final Supplier<T> builder;
    private final long nanos;
    private volatile @Nullable T built;
    private volatile @Nullable Shortage shortage;

    /**
     * @param name what it is called in explanations
     * @param nanos about how long the building takes
     */
    LazyIndex(Supplier<String> name, long nanos, Supplier<T> builder) {
        this.nanos = nanos;
        this.name = name;
        this.builder = builder;
    }

    /** Returns what was built; null before that, and where there was no memory. */
    @Nullable T known() {
        return built;
    }

    /** Returns whether there was no memory for it a moment ago; in an explanation, when it was last tried. */
    boolean isRefused() {
        Shortage last = shortage;
        return last != null && (IndexesToBuild.areOnlyNoted() || last.isTooSoon());
    }

    /**
     * Returns whether it is there, or there is memory for it: then it is built, but in an explanation, which notes it.
     */
    boolean isHad() {
        return get() != null || (IndexesToBuild.areOnlyNoted() && !isRefused());
    }

    /** Returns what is built if need be; null where there is no memory, and in an explanation where it is not there. */
    @Nullable T get() {
        T known = built;
        if (known != null || isRefused()) {
            return known;
        }
        if (IndexesToBuild.areOnlyNoted()) {
            IndexesToBuild.note(name.get());
            return null;
        }
        // Not with the lock in hand: whoever has it runs.
        return WorkerThreads.call(nanos, this::build);
    }

    private synchronized @Nullable T build() {
        try {
            if (built == null && !isRefused()) {
                built = builder.get();
                shortage = null;
            }
        } catch (QueryException e) {
            if (e.kind() != QueryException.Kind.MEMORY_LIMIT) {
                throw e;
            }
            shortage = Shortage.after(shortage);
        }
        return built;
    }
}
