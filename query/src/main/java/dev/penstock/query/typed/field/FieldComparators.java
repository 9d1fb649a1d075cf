package dev.penstock.query.typed.field;

import dev.penstock.query.Evaluation;
import java.util.Arrays;
import java.util.Comparator;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** The comparators of values and of entities by them: the one order that every engine keeps. */
final class FieldComparators {
    private FieldComparators() {}

    /** Compares two entities by a field, nulls last. */
    static <R, V> int compare(Field<R, V> field, R a, R b) {
        V left = field.apply(a);
        V right = field.apply(b);
        if (left == null || right == null) {
            return Boolean.compare(left == null, right == null);
        }
        return values(field).compare(left, right);
    }

    /** Returns how the value of an entity, which is not null, compares with another value. Primitives are not boxed. */
    @SuppressWarnings("unchecked") // the field is one of R's, so that its getter is R's as well
    static <R, V> ToIntFunction<R> against(Field<R, V> field, V value) {
        return switch (field) {
            case IntField<?> f -> {
                ToIntFunction<R> getter = (ToIntFunction<R>) f.getter();
                int other = (Integer) value;
                yield row -> Integer.compare(getter.applyAsInt(row), other);
            }
            case LongField<?> f -> {
                ToLongFunction<R> getter = (ToLongFunction<R>) f.getter();
                long other = (Long) value;
                yield row -> Long.compare(getter.applyAsLong(row), other);
            }
            case FloatField<?> f ->
                    against((ToDoubleFunction<R>) f.getter(), ((Float) value).doubleValue());
            case DoubleField<?> f -> against((ToDoubleFunction<R>) f.getter(), (Double) value);
            case BooleanField<?> f -> {
                Predicate<R> getter = (Predicate<R>) f.getter();
                boolean other = (Boolean) value;
                yield row -> Boolean.compare(getter.test(row), other);
            }
            case CharField<?> f -> {
                ToIntFunction<R> getter = (ToIntFunction<R>) f.getter();
                int other = (Character) value;
                yield row -> Integer.compare(getter.applyAsInt(row), other);
            }
            case TextField<?> _, ValueField<?, ?> _, EnumField<?, ?> _, BinaryField<?> _ -> {
                Comparator<V> order = values(field);
                yield row -> order.compare(present(field, row), value);
            }
        };
    }

    private static <R> ToIntFunction<R> against(ToDoubleFunction<R> getter, double value) {
        return row -> Double.compare(getter.applyAsDouble(row), value);
    }

    private static <R, V> V present(Field<R, V> field, R row) {
        return field.required(field.apply(row));
    }

    /**
     * Returns the comparator of entities by a field, whose value may be null. Primitives that are never null are not
     * boxed.
     */
    static <R, V> Comparator<R> entities(
            Field<R, V> field, boolean descending, boolean nullsFirst) {
        Comparator<R> primitive = field.isNullable() ? null : primitives(field);
        if (primitive != null) {
            return descending ? primitive.reversed() : primitive;
        }
        Comparator<V> values = values(field);
        Comparator<V> directed = descending ? values.reversed() : values;
        Comparator<@Nullable V> all =
                nullsFirst ? Comparator.nullsFirst(directed) : Comparator.nullsLast(directed);
        return (a, b) -> all.compare(field.apply(a), field.apply(b));
    }

    @SuppressWarnings("unchecked") // the field is one of R's, so that its getter is R's as well
    private static <R> @Nullable Comparator<R> primitives(Field<R, ?> field) {
        return switch (field) {
            case IntField<?> f -> Comparator.comparingInt((ToIntFunction<R>) f.getter());
            case LongField<?> f -> Comparator.comparingLong((ToLongFunction<R>) f.getter());
            case FloatField<?> f -> Comparator.comparingDouble((ToDoubleFunction<R>) f.getter());
            case DoubleField<?> f -> Comparator.comparingDouble((ToDoubleFunction<R>) f.getter());
            case CharField<?> f -> Comparator.comparingInt((ToIntFunction<R>) f.getter());
            case BooleanField<?> _,
                    TextField<?> _,
                    ValueField<?, ?> _,
                    EnumField<?, ?> _,
                    BinaryField<?> _ ->
                    null;
        };
    }

    /** Returns the comparator of the values of a field, none of them null. */
    @SuppressWarnings("unchecked") // each field's values are of the class that its kind has
    static <V> Comparator<V> values(Field<?, V> field) {
        return (Comparator<V>)
                switch (field) {
                    case IntField<?> _,
                            LongField<?> _,
                            FloatField<?> _,
                            DoubleField<?> _,
                            BooleanField<?> _,
                            CharField<?> _,
                            EnumField<?, ?> _ ->
                            Comparator.naturalOrder();
                    case TextField<?> _ -> (Comparator<String>) Evaluation::compareTexts;
                    case BinaryField<?> _ -> (Comparator<byte[]>) Arrays::compareUnsigned;
                    case ValueField<?, ?> f ->
                            f.type() == UUID.class
                                    ? (Comparator<UUID>) FieldComparators::unsigned
                                    : Comparator.naturalOrder();
                };
    }

    private static int unsigned(UUID a, UUID b) {
        int high = Long.compareUnsigned(a.getMostSignificantBits(), b.getMostSignificantBits());
        return high != 0
                ? high
                : Long.compareUnsigned(a.getLeastSignificantBits(), b.getLeastSignificantBits());
    }
}
