package dev.penstock.query.typed.aggregate;

import static java.util.Objects.requireNonNull;

import dev.penstock.query.Aggregate;
import dev.penstock.query.Cursor;
import dev.penstock.query.typed.field.Condition;
import dev.penstock.query.typed.field.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collector;
import org.jspecify.annotations.Nullable;

/**
 * A collector of entities that an engine can also run as an aggregation; {@link Aggregates} makes them. Any stream can
 * be collected by it; a stream of a {@code TypedTable} that is still a plan sends it to the engine. Immutable.
 *
 * @param <R> the entity
 * @param <V> the result
 */
public final class AggregateCollector<R, V> implements Collector<R, Object, V> {
    /**
     * One value of an aggregation.
     *
     * @param function the aggregate function
     * @param field its argument; null for the number of rows
     * @param filter the entities that count; null for all
     */
    public record Value<R>(
            Aggregate.Function function,
            @Nullable Field<R, ?> field,
            @Nullable Condition<R> filter) {}

    /**
     * An aggregation as a plan can say it, and the reader of its rows.
     *
     * @param keys the fields to group by
     * @param values the values of each group
     * @param folder makes what turns the plan's rows into the result
     */
    public record Query<R, V>(
            List<Field<R, ?>> keys, List<Value<R>> values, Supplier<RowFolder<V>> folder) {}

    /** A folder of the rows of an aggregation into its result; used once. */
    public interface RowFolder<V> {
        /** Takes a row whose keys and values start at these columns. */
        void row(Cursor row, int key, int value);

        /** Returns the result of all rows. */
        V result();
    }

    private final Collector<R, Object, V> collector;
    private final @Nullable Query<R, V> query;
    private final List<Condition<R>> conditions;

    @SuppressWarnings("unchecked") // the accumulation type is used by the collector alone
    AggregateCollector(
            Collector<R, ?, V> collector,
            @Nullable Query<R, V> query,
            List<Condition<R>> conditions) {
        this.collector = (Collector<R, Object, V>) collector;
        this.query = query;
        this.conditions = conditions;
    }

    /** Returns a collector of values without groups and without conditions. */
    static <R, V> AggregateCollector<R, V> of(
            Collector<R, ?, V> collector, List<Value<R>> values, Reader<V> reader) {
        return of(collector, values, reader, List.of());
    }

    /** Returns a collector of values without groups. */
    static <R, V> AggregateCollector<R, V> of(
            Collector<R, ?, V> collector,
            List<Value<R>> values,
            Reader<V> reader,
            List<Condition<R>> conditions) {
        return new AggregateCollector<>(
                collector,
                new Query<>(List.of(), values, () -> new SingleRow<>(reader)),
                conditions);
    }

    /** Returns the aggregation for an engine; null where only the JVM can do it. */
    public @Nullable Query<R, V> query() {
        return query;
    }

    /** Returns the conditions that entities are tested by where the JVM collects them. */
    public List<Condition<R>> conditions() {
        return conditions;
    }

    /** A reader of a value that starts at a column. */
    interface Reader<V> {
        V read(Cursor row, int column);
    }

    /** A folder of the only row. */
    private static final class SingleRow<V> implements RowFolder<V> {
        private final Reader<V> reader;
        private @Nullable V value;

        SingleRow(Reader<V> reader) {
            this.reader = reader;
        }

        @Override
        public void row(Cursor row, int key, int value) {
            this.value = reader.read(row, value);
        }

        @Override
        public V result() {
            return requireNonNull(value);
        }
    }

    /** Restricts values to the entities for which a condition holds. */
    static <R> List<Value<R>> filtered(List<Value<R>> values, Condition<R> condition) {
        List<Value<R>> filtered = new ArrayList<>();
        for (Value<R> value : values) {
            Condition<R> both = value.filter == null ? condition : condition.and(value.filter);
            filtered.add(new Value<>(value.function, value.field, both));
        }
        return filtered;
    }

    @Override
    public Supplier<Object> supplier() {
        return collector.supplier();
    }

    @Override
    public BiConsumer<Object, R> accumulator() {
        return collector.accumulator();
    }

    @Override
    public BinaryOperator<Object> combiner() {
        return collector.combiner();
    }

    @Override
    public Function<Object, V> finisher() {
        return collector.finisher();
    }

    @Override
    public Set<Characteristics> characteristics() {
        return collector.characteristics();
    }
}
