package dev.penstock.query.typed;

import static java.util.Objects.requireNonNull;

import dev.penstock.query.typed.field.Condition;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A foreign key seen from the other end: the rows that refer to a row. Immutable.
 *
 * <p>The foreign key comes by a supplier, which is asked on first use, so that two entities may refer to one another.
 *
 * @param <T> the entity that is referred to
 * @param <R> the entity that refers
 */
public final class Referrers<T, R> {
    private final Supplier<ForeignKey<R, T>> foreignKey;

    private Referrers(Supplier<ForeignKey<R, T>> foreignKey) {
        this.foreignKey = requireNonNull(foreignKey);
    }

    /** Returns the referrers by a foreign key. */
    public static <T, R> Referrers<T, R> of(Supplier<ForeignKey<R, T>> foreignKey) {
        return new Referrers<>(foreignKey);
    }

    /** Returns the foreign key. */
    public ForeignKey<R, T> foreignKey() {
        return foreignKey.get();
    }

    /**
     * Returns the condition of the rows that refer to this one; empty where a field that they would refer to is null.
     */
    public Optional<Condition<R>> condition(T row) {
        ForeignKey<R, T> key = foreignKey.get();
        return ForeignKey.match(key.to(), key.from(), row);
    }

    /**
     * Returns the rows that refer to this one, as {@link TypedTable#stream} gives rows; none where a field that they
     * would refer to is null.
     */
    public Stream<R> of(T row, TypedTable<R> table) {
        return condition(row)
                .map(condition -> table.stream().filter(condition))
                .orElseGet(() -> table.stream().limit(0));
    }
}
