package dev.penstock.query.typed.field;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A choice of rows and columns of an entity's table, such as those that are to be loaded into memory: {@code
 * Film.TABLE.where(Film.YEAR.greaterThan(2000)).columns(Film.TITLE, Film.LENGTH)}. An entity itself is the choice of
 * all of them. Immutable.
 *
 * @param <R> the entity
 */
public abstract sealed class TableSelection<R> permits Entity, ChosenRows {
    TableSelection() {}

    /** Returns the entity of the table. */
    public abstract Entity<R> entity();

    /** Returns the fields whose columns are chosen. */
    public abstract List<Field<R, ?>> fields();

    /** Returns the condition that chosen rows pass; empty where all are chosen. */
    public abstract Optional<Condition<R>> condition();

    /** Returns the same columns of those rows for which a condition holds as well. */
    public final TableSelection<R> where(Condition<R> condition) {
        return new ChosenRows<>(
                entity(), fields(), condition().map(c -> c.and(condition)).orElse(condition));
    }

    /**
     * Returns the same rows with the columns of some fields alone, in place of those that were chosen before. A table
     * in memory has those of its key in any case.
     *
     * @throws IllegalArgumentException if there are none, or one is no field of the entity
     */
    @SafeVarargs
    public final TableSelection<R> columns(Field<R, ?>... fields) {
        List<Field<R, ?>> chosen = new ArrayList<>();
        for (Field<R, ?> field : fields) {
            if (!entity().fields().contains(field)) {
                throw new IllegalArgumentException(
                        "%s is no field of entity %s; choose among its fields"
                                .formatted(field, entity()));
            }
            chosen.add(field);
        }
        if (chosen.isEmpty()) {
            throw new IllegalArgumentException(
                    "no columns of table %s are chosen; name one at least"
                            .formatted(entity().table()));
        }
        return new ChosenRows<>(entity(), chosen, condition().orElse(null));
    }
}
