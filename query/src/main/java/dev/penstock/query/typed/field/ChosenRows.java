package dev.penstock.query.typed.field;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A choice that not all rows and columns belong to. Immutable. */
final class ChosenRows<R> extends TableSelection<R> {
    private final Entity<R> entity;
    private final List<Field<R, ?>> fields;
    private final @Nullable Condition<R> condition;

    /**
     * @param condition the condition that chosen rows pass; null for all rows
     */
    ChosenRows(Entity<R> entity, List<Field<R, ?>> fields, @Nullable Condition<R> condition) {
        this.entity = requireNonNull(entity);
        this.fields = List.copyOf(fields);
        this.condition = condition;
    }

    @Override
    public Entity<R> entity() {
        return entity;
    }

    @Override
    public List<Field<R, ?>> fields() {
        return fields;
    }

    @Override
    public Optional<Condition<R>> condition() {
        return Optional.ofNullable(condition);
    }

    /** Returns the entity's name, and what is chosen, without the values of the condition. */
    @Override
    public String toString() {
        return entity + ", fields " + fields + (condition == null ? "" : ", by a " + condition);
    }
}
