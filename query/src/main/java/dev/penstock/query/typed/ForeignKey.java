package dev.penstock.query.typed;

import static java.util.Objects.requireNonNull;

import dev.penstock.query.typed.field.Condition;
import dev.penstock.query.typed.field.Field;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A foreign key: the fields of an entity whose values are the key of another's row. Immutable.
 *
 * <p>The other entity's fields come by a supplier, which is asked on first use, so that two entities may refer to one
 * another.
 *
 * @param <R> the entity that refers
 * @param <T> the entity that is referred to
 */
public final class ForeignKey<R, T> {
    private final List<Field<R, ?>> from;
    private final Supplier<? extends List<? extends Field<T, ?>>> to;

    private ForeignKey(
            List<? extends Field<R, ?>> from, Supplier<? extends List<? extends Field<T, ?>>> to) {
        this.from = List.copyOf(from);
        this.to = requireNonNull(to);
        if (from.isEmpty()) {
            throw new IllegalArgumentException("a foreign key has no fields");
        }
    }

    /** Returns a foreign key of the fields that refer, and those that they refer to, in the same order. */
    public static <R, T> ForeignKey<R, T> of(
            List<? extends Field<R, ?>> from, Supplier<? extends List<? extends Field<T, ?>>> to) {
        return new ForeignKey<>(from, to);
    }

    /** Returns the fields that refer. */
    public List<Field<R, ?>> from() {
        return from;
    }

    /** Returns the fields that are referred to. */
    public List<Field<T, ?>> to() {
        List<Field<T, ?>> fields = List.copyOf(to.get());
        if (fields.size() != from.size()) {
            throw new IllegalArgumentException(
                    "a foreign key refers from %s to %s: their numbers differ"
                            .formatted(from, fields));
        }
        return fields;
    }

    /**
     * Returns the condition of the row that an entity refers to; empty where one of its fields is null, so that it
     * refers to none.
     */
    public Optional<Condition<T>> condition(R row) {
        return match(from, to(), row);
    }

    /** Returns the row that an entity refers to; empty where one of its fields is null. */
    public Optional<T> of(R row, TypedTable<T> table) {
        return condition(row).flatMap(table::find);
    }

    /** Returns the condition of equal values in two lists of fields. */
    static <A, B> Optional<Condition<B>> match(
            List<Field<A, ?>> from, List<Field<B, ?>> to, A row) {
        Condition<B> all = null;
        for (int i = 0; i < from.size(); i++) {
            Optional<Condition<B>> one = Condition.match(to.get(i), from.get(i), row);
            if (one.isEmpty()) {
                return Optional.empty();
            }
            all = all == null ? one.get() : all.and(one.get());
        }
        return Optional.ofNullable(all);
    }
}
