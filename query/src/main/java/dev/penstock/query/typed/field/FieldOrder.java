package dev.penstock.query.typed.field;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * An order of entities by their fields, the most significant first. It compares two entities like any
 * {@link Comparator}; streams of a typed table let the database sort by it. Immutable.
 *
 * @param <R> the entity
 */
public final class FieldOrder<R> implements Comparator<R> {
    /**
     * One field of an order.
     *
     * @param field by what
     * @param descending whether larger values come first
     * @param nullsFirst whether nulls come before all values
     */
    public record Key<R>(Field<R, ?> field, boolean descending, boolean nullsFirst) {}

    private final Key<R> first;
    private final List<Key<R>> rest;

    /** The comparator of entities, made when it is first needed; threads that come at the same time make equal ones. */
    private @Nullable Comparator<R> comparator;

    private FieldOrder(Key<R> first, List<Key<R>> rest) {
        this.first = first;
        this.rest = rest;
    }

    private Comparator<R> comparator() {
        Comparator<R> made = comparator;
        if (made == null) {
            made = comparator(first);
            for (Key<R> key : rest) {
                made = made.thenComparing(comparator(key));
            }
            comparator = made;
        }
        return made;
    }

    private static <R> Comparator<R> comparator(Key<R> key) {
        return FieldComparators.entities(key.field, key.descending, key.nullsFirst);
    }

    public static <R> FieldOrder<R> of(Field<R, ?> field) {
        return of(new Key<>(field, false, false));
    }

    public static <R> FieldOrder<R> of(Key<R> only) {
        return new FieldOrder<>(only, List.of());
    }

    /** Returns the order that a comparator is, also one that the JDK made of fields; null where it is none. */
    @SuppressWarnings("unchecked") // a comparator of R that is an order of fields is one of R's
    public static <R> @Nullable FieldOrder<R> of(Comparator<? super R> comparator) {
        return switch (comparator) {
            case FieldOrder<?> order -> (FieldOrder<R>) order;
            case Field<?, ?> field -> FieldOrder.of((Field<R, ?>) field);
            default -> JdkComparators.order(comparator);
        };
    }

    /** Returns all fields, the most significant first. */
    public List<Key<R>> keys() {
        List<Key<R>> keys = new ArrayList<>(rest.size() + 1);
        keys.add(first);
        keys.addAll(rest);
        return keys;
    }

    /** Returns the only field; null where there are more. */
    public @Nullable Key<R> only() {
        return rest.isEmpty() ? first : null;
    }

    @Override
    public int compare(R a, R b) {
        return comparator().compare(a, b);
    }

    /** Returns the reverse of this order, of each field and of where its nulls come. */
    @Override
    public FieldOrder<R> reversed() {
        return each(k -> new Key<>(k.field, !k.descending, !k.nullsFirst));
    }

    /** Returns this order with the nulls of every field so far before its values. */
    public FieldOrder<R> nullsFirst() {
        return nulls(true);
    }

    /** Returns this order with the nulls of every field so far after its values. */
    public FieldOrder<R> nullsLast() {
        return nulls(false);
    }

    private FieldOrder<R> nulls(boolean first) {
        return each(k -> new Key<>(k.field, k.descending, first));
    }

    private FieldOrder<R> each(UnaryOperator<Key<R>> change) {
        return new FieldOrder<>(
                change.apply(first), rest.isEmpty() ? rest : rest.stream().map(change).toList());
    }

    /** Returns this order, and what is equal in it by a field, nulls last. */
    public <U extends Comparable<? super U>> FieldOrder<R> thenComparing(Field<R, U> next) {
        return thenComparing(of(next));
    }

    /** Returns this order, and what is equal in it by another. */
    public FieldOrder<R> thenComparing(FieldOrder<R> next) {
        List<Key<R>> more = new ArrayList<>(rest);
        more.addAll(next.keys());
        return new FieldOrder<>(first, List.copyOf(more));
    }

    @Override
    public Comparator<R> thenComparing(Comparator<? super R> next) {
        FieldOrder<R> order = of(next);
        return order == null ? comparator().thenComparing(next) : thenComparing(order);
    }

    @Override
    @SuppressWarnings("unchecked") // a function of R that is a field is one of R's
    public <U extends Comparable<? super U>> Comparator<R> thenComparing(
            Function<? super R, ? extends U> next) {
        return next instanceof Field<?, ?> field
                ? thenComparing(of((Field<R, ?>) field))
                : comparator().thenComparing(next);
    }

    /** Returns the fields in words. */
    @Override
    public String toString() {
        return String.join(
                ", ",
                keys().stream()
                        .map(k ->
                                k.field
                                        + (k.descending ? " descending" : "")
                                        + (k.field.isNullable()
                                                ? k.nullsFirst ? " nulls first" : " nulls last"
                                                : ""))
                        .toList());
    }
}
