package dev.penstock.query.typed.subquery;

import dev.penstock.query.Engine;
import dev.penstock.query.Plan;
import dev.penstock.query.Subquery;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/** The values of a stream that was used up by a condition. Thread-safe. */
public interface StreamSubquery extends Subquery {
    /**
     * Refuses: which plan it is depends on the engine that is asked, see {@link #planning}.
     *
     * @throws IllegalStateException always
     */
    @Override
    default Plan plan() {
        throw new IllegalStateException(
                "a condition on the values of a stream is no plan by itself; only streams of a typed table take it");
    }

    /** The use of the values in a query. */
    sealed interface Planning {
        /**
         * They are part of it.
         *
         * @param plan of one column, which are the values
         * @param field whose values they are
         */
        record Planned(Plan plan, Function<?, ?> field) implements Planning {}

        /**
         * They are part of it, as soon as the values of other streams are read that their own conditions compare with.
         *
         * @param reasons why these are
         * @param plan reads them, and gives the plan
         * @param field whose values they are
         */
        record PlannedAfterReading(List<String> reasons, Supplier<Plan> plan, Function<?, ?> field)
                implements Planning {}

        /** They are read before it. */
        record ReadFirst(String reason) implements Planning {}
    }

    /** Returns what becomes of the values in a query to an engine. Nothing is read. */
    Planning planning(Engine engine);

    /** Returns the different values without null, which are read when they are first asked for, once. */
    Set<Object> values();

    /** Runs the stream's {@code onClose} handlers. */
    void close();
}
