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
 * What is made of many entities, as {@link Aggregates} gives it. It is a {@link Collector} like any other; a stream of a {@code TypedTable} that is
 * collected by it while it is still a query lets the database do it. Immutable.
 *
 * @param <R> the entity
 * @param <V> what becomes of them
 */
public final class Figure<R, V> implements Collector<R, Object, V> {
    /**
     * One value of a plan's aggregation.
     *
     * @param function how
     * @param field of what; null for the number of rows
     * @param filter of which entities; null for all
     */
    public record Part<R>(
            Aggregate.Function function,
            @Nullable Field<R, ?> field,
            @Nullable Condition<R> filter) {}

    /**
     * What the plan is asked, and how its rows are read.
     *
     * @param keys what makes a group
     * @param parts what is asked of each
     * @param fold what takes the rows
     */
    public record Asked<R, V>(
            List<Field<R, ?>> keys, List<Part<R>> parts, Supplier<Fold<V>> fold) {}

    /** Takes the rows of a plan. */
    public interface Fold<V> {
        /** A row, whose keys and values start at these columns. */
        void row(Cursor row, int key, int value);

        /** What became of all of them. */
        V result();
    }

    private final Collector<R, Object, V> collector;
    private final @Nullable Asked<R, V> asked;

    @SuppressWarnings("unchecked") // what a collector keeps is its own affair
    Figure(Collector<R, ?, V> collector, @Nullable Asked<R, V> asked) {
        this.collector = (Collector<R, Object, V>) collector;
        this.asked = asked;
    }

    /** A figure of values without groups. */
    static <R, V> Figure<R, V> of(
            Collector<R, ?, V> collector, List<Part<R>> parts, Reader<V> reader) {
        return new Figure<>(collector, new Asked<>(List.of(), parts, () -> new Only<>(reader)));
    }

    /** What the plan is asked; null where only the JVM can do it. */
    public @Nullable Asked<R, V> asked() {
        return asked;
    }

    /** Reads a value that starts at a column. */
    interface Reader<V> {
        V read(Cursor row, int column);
    }

    /** Takes one row. */
    private static final class Only<V> implements Fold<V> {
        private final Reader<V> reader;
        private @Nullable V value;

        Only(Reader<V> reader) {
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

    /** The same of the entities for which a condition holds. */
    static <R> List<Part<R>> filtered(List<Part<R>> parts, Condition<R> condition) {
        List<Part<R>> filtered = new ArrayList<>();
        for (Part<R> part : parts) {
            Condition<R> both = part.filter == null ? condition : condition.and(part.filter);
            filtered.add(new Part<>(part.function, part.field, both));
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
