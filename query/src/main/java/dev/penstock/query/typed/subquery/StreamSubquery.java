package dev.penstock.query.typed.subquery;

import dev.penstock.query.Engine;
import dev.penstock.query.Plan;
import dev.penstock.query.Subquery;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The values of a stream that was used up by a condition. Thread-safe. */
public interface StreamSubquery extends Subquery {
    /**
     * Refuses: which plan it is depends on the engine that is asked, see {@link #planned}.
     *
     * @throws IllegalStateException always
     */
    @Override
    default Plan plan() {
        throw new IllegalStateException(
                "a condition on the values of a stream is no plan by itself; only streams of a typed table take it");
    }

    /**
     * Returns why the values are no part of a query to an engine, so that they are read before it; null if they may be.
     * Nothing is read.
     */
    @Nullable String obstacle(Engine engine);

    /** Returns the plan of the values, of one column, where there is no {@link #obstacle}. */
    Plan planned();

    /** Returns the field whose values they are; null where there is an {@link #obstacle}. */
    @Nullable Function<?, ?> field();

    /** Returns the different values without null, which are read when they are first asked for, once. */
    Set<Object> values();

    /** Runs the stream's {@code onClose} handlers. */
    void close();
}
