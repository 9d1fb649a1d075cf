package dev.penstock.snapshot;

import static java.util.Objects.requireNonNull;

import dev.penstock.query.QueryException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An index that is built when it is first asked for, once, and not at all where there is no memory for it. Thread-safe. */
final class Lazy<T> {
    private final ReentrantLock building = new ReentrantLock();
    private final Supplier<T> builder;
    private volatile @Nullable T built;
    private volatile boolean refused;

    Lazy(Supplier<T> builder) {
        this.builder = requireNonNull(builder);
    }

    /** What was built; null before that, and where there was no memory. */
    @Nullable T known() {
        return built;
    }

    /** Whether there was no memory for it. */
    boolean isRefused() {
        return refused;
    }

    /** What is built if need be; null where there is no memory. */
    @Nullable T get() {
        T known = built;
        return known != null || refused ? known : build();
    }

    private @Nullable T build() {
        building.lock();
        try {
            if (built == null && !refused) {
                built = builder.get();
            }
        } catch (QueryException e) {
            if (e.kind() != QueryException.Kind.MEMORY_LIMIT) {
                throw e;
            }
            refused = true;
        } finally {
            building.unlock();
        }
        return built;
    }
}
