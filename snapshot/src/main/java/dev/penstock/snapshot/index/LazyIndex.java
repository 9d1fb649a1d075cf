package dev.penstock.snapshot.index;

import dev.penstock.query.QueryException;
import dev.penstock.snapshot.memory.Lifetime;
import dev.penstock.snapshot.memory.Shortage;
import dev.penstock.snapshot.work.IndexThreads;
import dev.penstock.snapshot.work.IndexesToBuild;
import dev.penstock.snapshot.work.WorkerThreads;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An index that is built when it is first asked for, once: at once where that takes a moment, else beside those who
 * ask, who do without it until then. Where there is no memory for it, that is tried again only some seconds later, and
 * then after twice as long each time. Thread-safe.
 */
final class LazyIndex<T> {
    /** The building time, in nanoseconds, beyond which an index is built beside the queries that would use it. */
    static final long MOMENT_NANOS = 1 << 25;

    private static final System.Logger LOG = System.getLogger("dev.penstock.snapshot");

    private final Supplier<String> name;
    private final Supplier<T> builder;
    private final List<Lifetime> sources;
    private final long nanos;
    private final AtomicBoolean building = new AtomicBoolean();
    private volatile @Nullable T built;
    private volatile @Nullable Shortage shortage;

    /**
     * @param name what it is called in explanations
     * @param nanos about how long the building takes
     * @param sources of what it is made of; whoever asks uses them
     */
    LazyIndex(Supplier<String> name, long nanos, List<Lifetime> sources, Supplier<T> builder) {
        this.sources = List.copyOf(sources);
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

    /** Returns whether it is being built beside those who ask. */
    boolean isBuilding() {
        return building.get();
    }

    /**
     * Returns whether it is there, or built in a moment: then it is built, but in an explanation, which notes it.
     */
    boolean isHad() {
        return get() != null || (IndexesToBuild.areOnlyNoted() && !isRefused());
    }

    /**
     * Returns what is built if need be; null where there is no memory, while it is being built, and in an explanation
     * where it is not there.
     */
    @Nullable T get() {
        T known = built;
        if (known != null || isRefused()) {
            return known;
        }
        if (IndexesToBuild.areOnlyNoted()) {
            IndexesToBuild.note(name.get(), isLong());
            return null;
        }
        if (!isLong()) {
            // Not with the lock in hand: whoever has it runs.
            return WorkerThreads.call(
                    nanos,
                    () -> {
                        build();
                        return built;
                    });
        }
        if (building.compareAndSet(false, true)) {
            startBuilding();
        }
        return built;
    }

    /** Whoever asks may be done with the sources before it is built. */
    private void startBuilding() {
        List<Lifetime> acquired = new ArrayList<>();
        try {
            for (Lifetime source : sources) {
                source.acquireHeld();
                acquired.add(source);
            }
            IndexThreads.start(this::buildBeside);
        } catch (RuntimeException | Error e) {
            building.set(false);
            acquired.forEach(Lifetime::release);
            throw e;
        }
    }

    private boolean isLong() {
        return nanos > MOMENT_NANOS;
    }

    private void buildBeside() {
        try {
            build();
        } catch (RuntimeException | Error e) {
            shortage = Shortage.after(shortage);
            LOG.log(System.Logger.Level.WARNING, name.get() + " was not built", e);
        } finally {
            building.set(false);
            sources.forEach(Lifetime::release);
        }
    }

    private synchronized void build() {
        try {
            if (built == null && !isRefused()) {
                built = builder.get();
                shortage = null;
            }
        } catch (QueryException e) {
            requireShortage(e);
            shortage = Shortage.after(shortage);
        }
    }

    private static void requireShortage(QueryException e) {
        if (e.kind() != QueryException.Kind.MEMORY_LIMIT) {
            throw e;
        }
    }

    /** Builds it here and now, before anyone asks for it. Where there is no memory, that is tried when someone does. */
    void buildEarly() {
        buildEarly(builder);
    }

    /** Builds it likewise, in another way. */
    void buildEarly(Supplier<T> way) {
        try {
            buildNow(way);
        } catch (QueryException e) {
            requireShortage(e);
        }
    }

    /**
     * Builds it here and now, where it has to be had.
     *
     * @throws QueryException of kind {@code MEMORY_LIMIT} if there is no memory for it
     */
    synchronized void buildNow(Supplier<T> way) {
        built = built == null ? way.get() : built;
    }
}
