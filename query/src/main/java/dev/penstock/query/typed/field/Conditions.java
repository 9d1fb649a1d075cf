package dev.penstock.query.typed.field;

import dev.penstock.query.Evaluation;
import dev.penstock.query.Predicate;
import dev.penstock.query.Predicate.Comparator;
import dev.penstock.query.Predicate.TextOperation;
import dev.penstock.query.typed.subquery.StreamSubquery;
import dev.penstock.query.typed.subquery.SubqueryStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToIntFunction;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The factory of conditions: of each, the predicate for a plan and the test of an entity, which mean the same. */
final class Conditions {
    /** The most values of {@code in} that are compared one by one, unboxed. */
    private static final int FEW = 8;

    private Conditions() {}

    /** Returns a value that is read as a primitive; fails if it is null. */
    static <V> V present(Class<?> entity, String column, @Nullable V value) {
        if (value == null) {
            throw new NullPointerException(
                    "%s.%s is null and is read as a primitive; filter by isNotNull() first"
                            .formatted(entity.getSimpleName(), column));
        }
        return value;
    }

    static <R> Condition<R> isNull(Field<R, ?> field) {
        java.util.function.Predicate<R> test =
                field.isNullable() ? row -> field.apply(row) == null : _ -> false;
        return new Condition<>(field.entity(), new Predicate.IsNull(field.column()), test);
    }

    static <R, V> Condition<R> compare(Field<R, V> field, Comparator comparator, V value) {
        return Condition.of(
                new FieldCondition.Comparison<>(
                        field, comparator, given(field, comparator, value)));
    }

    static <V> Predicate predicate(Field<?, V> field, Comparator comparator, V value) {
        return switch (field) {
            case EnumField<?, ?> constants
                    when comparator != Comparator.EQUAL && comparator != Comparator.NOT_EQUAL ->
                    new Predicate.In(field.column(), texts(constants, field, comparator, value));
            default -> new Predicate.Comparison(field.column(), comparator, field.planValue(value));
        };
    }

    static <R, V> java.util.function.Predicate<R> test(
            Field<R, V> field, Comparator comparator, V value) {
        ToIntFunction<R> order = FieldComparators.against(field, value);
        boolean ofNull = comparator == Comparator.NOT_EQUAL;
        return field.isNullable()
                ? row -> field.apply(row) == null ? ofNull : comparator.holds(order.applyAsInt(row))
                : row -> comparator.holds(order.applyAsInt(row));
    }

    private static <V> List<Object> texts(
            EnumField<?, ?> constants, Field<?, V> field, Comparator comparator, V value) {
        List<Object> texts = new ArrayList<>();
        for (Enum<?> constant : constants.type().getEnumConstants()) {
            @SuppressWarnings("unchecked") // the field is that of the constants
            V each = (V) constant;
            if (comparator.holds(FieldComparators.values(field).compare(each, value))) {
                texts.add(field.planValue(each));
            }
        }
        return texts;
    }

    /** Compares two fields of one enum in the order of its constants, which a database does not know. */
    static <R, V> Condition<R> compareConstants(
            EnumField<R, ?> constants, Field<R, V> left, Comparator comparator, Field<R, V> right) {
        List<Predicate> any = new ArrayList<>();
        for (Enum<?> constant : constants.type().getEnumConstants()) {
            @SuppressWarnings("unchecked") // the fields are those of the constants
            V each = (V) constant;
            any.add(
                    compare(right, Comparator.EQUAL, each)
                            .and(compare(left, comparator, each))
                            .predicate());
        }
        return new Condition<>(
                left.entity(),
                new Predicate.Or(any),
                row -> {
                    V a = left.apply(row);
                    V b = right.apply(row);
                    return a != null
                            && b != null
                            && comparator.holds(FieldComparators.values(left).compare(a, b));
                });
    }

    static <R, V> Condition<R> between(Field<R, V> field, V start, V end, RangeBounds inclusion) {
        Comparator above =
                inclusion.includesStart() ? Comparator.GREATER_OR_EQUAL : Comparator.GREATER;
        Comparator below = inclusion.includesEnd() ? Comparator.LESS_OR_EQUAL : Comparator.LESS;
        return Condition.of(
                new FieldCondition.Range<>(
                        new FieldCondition.Comparison<>(field, above, given(field, above, start)),
                        new FieldCondition.Comparison<>(field, below, given(field, below, end))));
    }

    static <R, V> Condition<R> in(Field<R, V> field, Collection<? extends V> values) {
        List<V> all = new ArrayList<>(given(field, Comparator.EQUAL, values).size());
        for (V value : values) {
            all.add(given(field, Comparator.EQUAL, value));
        }
        return Condition.of(new FieldCondition.Among<>(field, List.copyOf(all)));
    }

    static <V> Predicate.In predicate(Field<?, V> field, List<V> values) {
        List<Object> bound = new ArrayList<>(values.size());
        for (V value : values) {
            bound.add(field.planValue(value));
        }
        return new Predicate.In(field.column(), bound);
    }

    static <R, V> java.util.function.Predicate<R> test(Field<R, V> field, List<V> values) {
        return values.size() > FEW ? amongMany(field, values) : amongFew(field, values);
    }

    static <R, V> Condition<R> in(Field<R, V> field, Stream<? extends V> values) {
        if (!(given(field, Comparator.EQUAL, values) instanceof SubqueryStream stream)) {
            throw new IllegalArgumentException(
                    ("%s.in(…) is given a %s: only a stream of a typed table can be part of its query;"
                                    + " collect others by toList()")
                            .formatted(field, values.getClass().getName()));
        }
        StreamSubquery subquery = stream.subquery();
        return new Condition<>(
                field.entity(),
                new Predicate.InSubquery(field.column(), subquery),
                new AmongSubquery<>(field, subquery));
    }

    /** A test whether a value is among those of a stream, which are read when the first row is tested. */
    private static final class AmongSubquery<R, V> implements java.util.function.Predicate<R> {
        private final Field<R, V> field;
        private final StreamSubquery subquery;
        private volatile java.util.function.@Nullable Predicate<R> among;

        AmongSubquery(Field<R, V> field, StreamSubquery subquery) {
            this.field = field;
            this.subquery = subquery;
        }

        @Override
        @SuppressWarnings("unchecked") // the stream's values are those of the field
        public boolean test(R row) {
            java.util.function.Predicate<R> known = among;
            if (known == null) {
                known = amongMany(field, (Set<V>) subquery.values());
                among = known;
            }
            return known.test(row);
        }
    }

    private static <R, V> java.util.function.Predicate<R> amongMany(
            Field<R, V> field, Collection<? extends V> values) {
        Set<V> sorted = new TreeSet<>(FieldComparators.values(field));
        sorted.addAll(values);
        return row -> {
            V value = field.apply(row);
            return value != null && sorted.contains(value);
        };
    }

    private static <R, V> java.util.function.Predicate<R> amongFew(
            Field<R, V> field, Collection<? extends V> values) {
        List<ToIntFunction<R>> orders = new ArrayList<>(values.size());
        values.forEach(value -> orders.add(FieldComparators.against(field, value)));
        return row -> !(field.isNullable() && field.apply(row) == null) && any(orders, row);
    }

    private static <R> boolean any(List<ToIntFunction<R>> orders, R row) {
        for (ToIntFunction<R> order : orders) {
            if (order.applyAsInt(row) == 0) {
                return true;
            }
        }
        return false;
    }

    /** Returns the condition that the field is not null and the condition does not hold. */
    static <R> Condition<R> complement(Field<R, ?> field, Condition<R> condition) {
        return field.isNullable() ? field.isNotNull().and(condition.negate()) : condition.negate();
    }

    /**
     * Returns the condition that a field equals a value of another field, as a plan has it: a number of another width,
     * or the text of an enum.
     */
    static <R, V> Condition<R> equal(Field<R, V> field, Object value) {
        Object fitting =
                switch (value) {
                    case Number number -> fitting(field, number);
                    case String text -> fitting(field, text);
                    default -> value;
                };
        if (fitting == null) {
            return in(field, List.of());
        }
        @SuppressWarnings("unchecked") // a misfit is found by the comparison, which is of this type
        V given = (V) fitting;
        return compare(field, Comparator.EQUAL, given);
    }

    /** Returns a number as a field has it; null where it can have no such number. */
    private static @Nullable Object fitting(Field<?, ?> field, Number number) {
        BigDecimal exact = new BigDecimal(number.toString());
        try {
            return switch (field) {
                case IntField<?> _ -> exact.intValueExact();
                case LongField<?> _ -> exact.longValueExact();
                case ValueField<?, ?> f when f.type() == BigDecimal.class -> exact;
                case ValueField<?, ?> f when f.type() == BigInteger.class ->
                        exact.toBigIntegerExact();
                default -> number;
            };
        } catch (ArithmeticException e) {
            return null;
        }
    }

    /** Returns a text as a field has it; null where it can have no such text. */
    private static @Nullable Object fitting(Field<?, ?> field, String text) {
        try {
            return switch (field) {
                case EnumField<?, ?> f -> f.constant().apply(text);
                case CharField<?> _ -> text.length() == 1 ? text.charAt(0) : null;
                default -> text;
            };
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    static <V> V given(Field<?, ?> field, Comparator comparator, @Nullable V value) {
        if (value == null) {
            String remedy =
                    switch (comparator) {
                        case EQUAL -> "; ask isNull() for rows without a value";
                        case NOT_EQUAL -> "; ask isNotNull() for rows with a value";
                        case LESS, LESS_OR_EQUAL, GREATER, GREATER_OR_EQUAL -> "";
                    };
            throw new NullPointerException("a condition compares " + field + " with null" + remedy);
        }
        return value;
    }

    /** Compares a text with a part. */
    static <R> Condition<R> text(
            TextField<R> field,
            TextOperation operation,
            @Nullable String value,
            boolean ignoringCase) {
        String given = given(field, Comparator.EQUAL, value);
        if (operation == TextOperation.STARTS_WITH && !ignoringCase) {
            return Condition.of(new FieldCondition.Prefix<>(field, given));
        }
        Predicate.Text text = new Predicate.Text(field.column(), operation, given, ignoringCase);
        return new Condition<>(field.entity(), text, test(field, text));
    }

    static <R> java.util.function.Predicate<R> test(TextField<R> field, Predicate.Text text) {
        return row -> Evaluation.test(text, _ -> field.apply(row));
    }

    static <R> Condition<R> matches(TextField<R> field, @Nullable Pattern pattern) {
        Pattern given = given(field, Comparator.EQUAL, pattern);
        return new Condition<>(
                field.entity(),
                new Predicate.Matches(field.column(), given.pattern(), given.flags()),
                row -> {
                    String text = field.apply(row);
                    return text != null && given.matcher(text).matches();
                });
    }
}
