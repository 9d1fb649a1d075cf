package dev.penstock.query;

import java.util.Optional;
import java.util.OptionalLong;

/** An executor of plans, which answers them exactly or refuses them. Thread-safe. */
public interface Engine {
    /** Returns what it is, for people: the name of the database, for instance. */
    String name();

    /** Returns the tables that it knows. */
    Schema schema();

    /**
     * Prepares a plan to run; whoever calls this closes the cursor.
     *
     * @throws QueryException if the plan names what is not there, or makes no sense, or is one that this engine refuses
     */
    Cursor open(Plan plan);

    /**
     * Returns the same for a caller that closes the cursor before it returns, whatever happens: so the engine need not
     * remember who it was.
     *
     * @throws QueryException as {@link #open} does
     */
    default Cursor openScoped(Plan plan) {
        return open(plan);
    }

    /**
     * Returns the same, by several threads at once where this engine can do that and the plan is worth it; others
     * answer as {@link #open} does.
     *
     * @throws QueryException as {@link #open} does
     */
    default Cursor openParallel(Plan plan) {
        return openScoped(plan);
    }

    /**
     * Returns an engine for several plans whose answers must agree, for whoever closes it: where this one answers from
     * versions that replace one another, one that stays on the version that is the newest now; else this one itself.
     */
    default PinnedEngine pinned() {
        return new PinnedEngine(this, () -> {});
    }

    /**
     * Returns the same for a plan and what is counted of it: where this engine asks another for some plans, one that
     * answers all of these in the same place.
     */
    default PinnedEngine pinned(Plan plan) {
        return pinned();
    }

    /**
     * Why this engine can't answer the plan exactly, in words; empty if it can.
     *
     * @throws QueryException if no engine could: the plan names what is not there or makes no sense
     */
    Optional<String> refusal(Plan plan);

    /**
     * Returns whether this engine sorts columns of a table by {@link Plan.Order#nativeOrder}, where their types have an
     * order of their own.
     */
    default boolean hasNativeOrder(Table table) {
        return false;
    }

    /**
     * Returns how many bytes of a text or a binary value decide its place in an order. Longer values that are equal up
     * to there are in the order of the key.
     */
    default int orderedBytes() {
        return Integer.MAX_VALUE;
    }

    /**
     * Returns a condition on rows of a table that this engine can do exactly, and that holds wherever the given one
     * does; {@link Predicate#ALL} where it knows none.
     *
     * @throws QueryException if no engine could do the condition
     */
    Predicate superset(Table table, Predicate predicate);

    /**
     * Returns about how many rows of a table pass a condition, by what is known of the table without reading it; empty
     * where nothing is.
     *
     * @throws QueryException if no engine could do the condition, or the database fails
     */
    default OptionalLong estimate(Table table, Predicate filter) {
        return OptionalLong.empty();
    }

    /**
     * Returns what becomes of a plan here.
     *
     * @throws QueryException as {@link #open} does, except for a refusal, which the notes tell
     */
    Explanation explain(Plan plan);
}
