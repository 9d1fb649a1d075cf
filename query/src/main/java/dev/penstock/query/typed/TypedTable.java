package dev.penstock.query.typed;

import dev.penstock.query.Engine;
import dev.penstock.query.typed.field.Condition;
import dev.penstock.query.typed.field.Entity;
import dev.penstock.query.typed.mapping.EntityMapping;
import dev.penstock.query.typed.shortcut.ShortcutEngine;
import dev.penstock.query.typed.shortcut.Shortcuts;
import dev.penstock.query.typed.stream.StreamExplainer;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.BaseStream;
import java.util.stream.Stream;

/**
 * A table of an engine as a source of streams of entities. Thread-safe; it holds nothing that must be closed.
 *
 * @param <R> the entity
 */
public abstract sealed class TypedTable<R> permits PlannedTable, ShortcutTable {
    private final EntityMapping<R> mapping;

    TypedTable(Engine engine, Entity<R> entity, boolean hasShortcuts) {
        this.mapping = new EntityMapping<>(engine, entity, hasShortcuts);
    }

    /**
     * Returns the table of an entity.
     *
     * @throws IllegalArgumentException if the engine's schema does not fit the entity: a table or column that is
     *     missing, or a column that holds something else, or nulls where the field has none
     */
    public static <R> TypedTable<R> of(Engine engine, Entity<R> entity) {
        Shortcuts shortcuts =
                engine instanceof ShortcutEngine direct ? direct.shortcuts(entity) : null;
        return shortcuts == null
                ? new PlannedTable<>(engine, entity)
                : new ShortcutTable<>(engine, entity, shortcuts);
    }

    /** Returns the entity. */
    public Entity<R> entity() {
        return mapping.entity();
    }

    /** Returns the engine that answers. */
    public Engine engine() {
        return mapping.engine();
    }

    EntityMapping<R> mapping() {
        return mapping;
    }

    /**
     * Returns every row as a stream, which has no order until it is sorted.
     *
     * <p>Operations on fields become one query: {@code filter} by conditions, {@code sorted} by fields, {@code skip},
     * {@code limit}, {@code map} and its like to a field, {@code distinct}, and the terminal operations that follow.
     * From the first operation with a lambda on, or the first that the engine can't do exactly, the rows are read one
     * at a time and the JDK's own streams do the rest; {@link #explain(BaseStream)} tells.
     *
     * <p>Nothing is asked before the terminal operation. The cursor is closed when that returns or throws; after
     * {@code iterator} and {@code spliterator}, at exhaustion or by {@code close()}.
     */
    public abstract Stream<R> stream();

    /** Returns a row for which the condition holds, the one of the lowest key if there are several. */
    public Optional<R> find(Condition<R> condition) {
        if (condition.fieldCondition() != null) {
            return stream().filter(condition).findFirst();
        }
        // Closed, because it may compare with the values of a stream that has handlers.
        try (Stream<R> found = stream().filter(condition)) {
            return found.findFirst();
        }
    }

    /**
     * Describes how a stream of this table would run as it is so far: the plan, the engine, the SQL with a mark for
     * each value, and what the JVM does and why. The stream is not used up, and no query is run.
     */
    public String explain(BaseStream<?, ?> stream) {
        return StreamExplainer.of(stream);
    }

    /**
     * Runs a program on a stream of this table, its terminal operation included, and describes the queries that it ran.
     */
    public String explain(Function<? super Stream<R>, ?> program) {
        return StreamExplainer.run(engine(), entity(), program);
    }

    @Override
    public String toString() {
        return entity() + " of " + engine().name();
    }
}
