package dev.penstock.query.typed.aggregate;

import static java.util.Objects.requireNonNull;

import dev.penstock.query.Aggregate.Function;
import dev.penstock.query.Cursor;
import dev.penstock.query.typed.aggregate.AggregateCollector.Query;
import dev.penstock.query.typed.aggregate.AggregateCollector.Value;
import dev.penstock.query.typed.field.Condition;
import dev.penstock.query.typed.field.DoubleField;
import dev.penstock.query.typed.field.Field;
import dev.penstock.query.typed.field.FloatField;
import dev.penstock.query.typed.field.IntField;
import dev.penstock.query.typed.field.LongField;
import dev.penstock.query.typed.field.ValueField;
import dev.penstock.query.typed.mapping.FieldReaders;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.BiFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Collectors that an engine can run. Null values are left out, except as a key of
 * {@link #groupingBy(Field, AggregateCollector)}, where they make a group.
 *
 * <pre>{@code
 * Map<Rating, Long> films = Film.stream().collect(groupingBy(Film.RATING, count()));
 * }</pre>
 */
public final class Aggregates {
    private Aggregates() {}

    /** Counts the entities. */
    public static <R> AggregateCollector<R, Long> count() {
        return AggregateCollector.of(
                Collectors.counting(),
                List.of(new Value<>(Function.COUNT, null, null)),
                Cursor::getLong);
    }

    /** Counts the entities whose value is not null. */
    public static <R> AggregateCollector<R, Long> count(Field<R, ?> field) {
        return AggregateCollector.of(
                present(field, Collectors.counting()),
                List.of(new Value<>(Function.COUNT_VALUES, field, null)),
                Cursor::getLong);
    }

    /** Adds the values; 0 of nothing. */
    public static <R> AggregateCollector<R, Long> sum(IntField<R> field) {
        return AggregateCollector.of(
                present(field, Collectors.summingLong(field)),
                value(Function.SUM, field),
                Cursor::getLong);
    }

    /** Adds the values; 0 of nothing, and an error where the sum is beyond a {@code long}. */
    public static <R> AggregateCollector<R, Long> sum(LongField<R> field) {
        return AggregateCollector.of(
                present(field, longs(field)), value(Function.SUM, field), Cursor::getLong);
    }

    /**
     * Adds the upper and the lower halves apart, so that only the sum as a whole can overflow, in whichever order it is
     * made.
     */
    private static <R> Collector<R, ?, Long> longs(LongField<R> field) {
        return Collector.of(
                () -> new long[2],
                (halves, row) -> {
                    long value = field.applyAsLong(row);
                    halves[0] += value >> 32;
                    halves[1] += value & 0xffff_ffffL;
                },
                (a, b) -> new long[] {a[0] + b[0], a[1] + b[1]},
                halves ->
                        BigInteger.valueOf(halves[0])
                                .shiftLeft(32)
                                .add(BigInteger.valueOf(halves[1]))
                                .longValueExact());
    }

    /** Adds the values; 0 of nothing. The last digits depend on the order of adding. */
    public static <R> AggregateCollector<R, Double> sum(FloatField<R> field) {
        return floating(field, field);
    }

    /** Adds the values; 0 of nothing. The last digits depend on the order of adding. */
    public static <R> AggregateCollector<R, Double> sum(DoubleField<R> field) {
        return floating(field, field);
    }

    private static <R> AggregateCollector<R, Double> floating(
            Field<R, ?> field, ToDoubleFunction<R> value) {
        return AggregateCollector.of(
                present(field, Collectors.summingDouble(value)),
                value(Function.SUM, field),
                Cursor::getDouble);
    }

    /** Adds the values exactly; 0 of nothing. */
    public static <R> AggregateCollector<R, BigDecimal> sum(ValueField<R, BigDecimal> field) {
        return AggregateCollector.of(
                decimals(field), value(Function.SUM, field), Aggregates::decimal);
    }

    private static <R> Collector<R, ?, BigDecimal> decimals(ValueField<R, BigDecimal> field) {
        return present(
                field,
                Collectors.reducing(
                        BigDecimal.ZERO, row -> field.required(field.apply(row)), BigDecimal::add));
    }

    private static BigDecimal decimal(Cursor row, int column) {
        BigDecimal sum = row.getDecimal(column);
        return sum == null ? BigDecimal.ZERO : sum;
    }

    /** Divides the sum by the number of values; empty of nothing. */
    public static <R> AggregateCollector<R, OptionalDouble> average(IntField<R> field) {
        return average(sum(field), field, sum -> sum);
    }

    /**
     * Divides the sum by the number of values; empty of nothing. An error where the sum is beyond a
     * {@code long}.
     */
    public static <R> AggregateCollector<R, OptionalDouble> average(LongField<R> field) {
        return average(sum(field), field, sum -> sum);
    }

    /** Divides the sum by the number of values; empty of nothing. */
    public static <R> AggregateCollector<R, OptionalDouble> average(FloatField<R> field) {
        return average(sum(field), field, sum -> sum);
    }

    /** Divides the sum by the number of values; empty of nothing. */
    public static <R> AggregateCollector<R, OptionalDouble> average(DoubleField<R> field) {
        return average(sum(field), field, sum -> sum);
    }

    /** Divides the sum by the number of values, as a {@code double}; empty of nothing. */
    public static <R> AggregateCollector<R, OptionalDouble> average(
            ValueField<R, BigDecimal> field) {
        return average(sum(field), field, BigDecimal::doubleValue);
    }

    private static <R, S> AggregateCollector<R, OptionalDouble> average(
            AggregateCollector<R, S> sum, Field<R, ?> field, ToDoubleFunction<S> number) {
        return both(
                sum,
                count(field),
                (s, n) ->
                        n == 0
                                ? OptionalDouble.empty()
                                : OptionalDouble.of(number.applyAsDouble(s) / n));
    }

    /** Finds the least value in the field's order; empty of nothing. */
    public static <R, V> AggregateCollector<R, Optional<V>> min(Field<R, V> field) {
        return AggregateCollector.of(
                present(
                        field,
                        Collectors.mapping(
                                field.asFunction(), Collectors.minBy(field.valueOrder()))),
                value(Function.MIN, field),
                (row, column) -> value(field, row, column));
    }

    /** Finds the greatest value in the field's order; empty of nothing. */
    public static <R, V> AggregateCollector<R, Optional<V>> max(Field<R, V> field) {
        return AggregateCollector.of(
                present(
                        field,
                        Collectors.mapping(
                                field.asFunction(), Collectors.maxBy(field.valueOrder()))),
                value(Function.MAX, field),
                (row, column) -> value(field, row, column));
    }

    private static <V> Optional<V> value(Field<?, V> field, Cursor row, int column) {
        return row.isNull(column)
                ? Optional.empty()
                : Optional.of(FieldReaders.reader(field, column).read(row));
    }

    private static <R> List<Value<R>> value(Function function, Field<R, ?> field) {
        return List.of(new Value<>(function, field, null));
    }

    private static <R, V> Collector<R, ?, V> present(Field<R, ?> field, Collector<R, ?, V> all) {
        return field.isNullable()
                ? Collectors.filtering(row -> field.apply(row) != null, all)
                : all;
    }

    /** Aggregates only the entities for which a condition holds. */
    public static <R, V> AggregateCollector<R, V> filtered(
            Condition<R> condition, AggregateCollector<R, V> aggregate) {
        requireNonNull(condition);
        Collector<R, ?, V> collector = Collectors.filtering(condition, aggregate);
        Query<R, V> query = aggregate.query();
        Query<R, V> filtered =
                query == null || !query.keys().isEmpty()
                        ? null
                        : new Query<>(
                                List.of(),
                                AggregateCollector.filtered(query.values(), condition),
                                query.folder());
        return new AggregateCollector<>(
                collector, filtered, joined(List.of(condition), aggregate.conditions()));
    }

    /** Computes two aggregates at once and merges them. */
    public static <R, A, B, V> AggregateCollector<R, V> both(
            AggregateCollector<R, A> one,
            AggregateCollector<R, B> other,
            BiFunction<? super A, ? super B, ? extends V> merger) {
        Collector<R, ?, V> collector = Collectors.teeing(one, other, merger::apply);
        List<Condition<R>> conditions = joined(one.conditions(), other.conditions());
        Query<R, A> a = one.query();
        Query<R, B> b = other.query();
        if (a == null || b == null || !a.keys().isEmpty() || !b.keys().isEmpty()) {
            return new AggregateCollector<>(collector, null, conditions);
        }
        int second = a.values().size();
        return AggregateCollector.of(
                collector,
                joined(a.values(), b.values()),
                (row, column) -> merger.apply(read(a, row, column), read(b, row, column + second)),
                conditions);
    }

    private static <X> List<X> joined(List<X> some, List<X> more) {
        List<X> all = new ArrayList<>(some);
        all.addAll(more);
        return all;
    }

    private static <V> V read(Query<?, V> query, Cursor row, int column) {
        AggregateCollector.RowFolder<V> folder = query.folder().get();
        folder.row(row, 0, column);
        return folder.result();
    }

    /** Computes several aggregates at once, as a list. */
    @SafeVarargs
    public static <R> AggregateCollector<R, List<Object>> all(
            AggregateCollector<R, ?> first,
            AggregateCollector<R, ?> second,
            AggregateCollector<R, ?>... more) {
        AggregateCollector<R, List<Object>> all = both(first, second, (a, b) -> List.of(a, b));
        for (AggregateCollector<R, ?> next : more) {
            all =
                    both(
                            all,
                            next,
                            (values, value) -> {
                                List<Object> longer = new ArrayList<>(values);
                                longer.add(value);
                                return List.copyOf(longer);
                            });
        }
        return all;
    }

    /**
     * Computes an aggregate for each value of a field, null included. Groupings may be nested. The map is unmodifiable
     * and has no particular order.
     */
    public static <R, K, V> AggregateCollector<R, Map<K, V>> groupingBy(
            Field<R, K> key, AggregateCollector<R, V> aggregate) {
        return Grouping.by(List.of(key), values -> Grouping.cast(values.getFirst()), aggregate);
    }

    /**
     * Computes an aggregate for each combination of the values of several fields, which are in the key in the fields'
     * order.
     */
    public static <R, V> AggregateCollector<R, Map<List<@Nullable Object>, V>> groupingBy(
            List<? extends Field<R, ?>> keys, AggregateCollector<R, V> aggregate) {
        if (keys.isEmpty()) {
            throw new IllegalArgumentException("grouping by no field; use the aggregate itself");
        }
        return Grouping.by(List.copyOf(keys), values -> values, aggregate);
    }
}
