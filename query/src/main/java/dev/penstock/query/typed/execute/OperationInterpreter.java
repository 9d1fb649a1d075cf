package dev.penstock.query.typed.execute;

import dev.penstock.query.typed.field.Condition;
import dev.penstock.query.typed.field.Field;
import dev.penstock.query.typed.field.FieldOrder;
import dev.penstock.query.typed.pushdown.StreamOperation;
import dev.penstock.query.typed.pushdown.StreamOperation.Shape;
import java.util.Comparator;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import java.util.stream.BaseStream;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * An interpreter of recorded operations on the JDK's streams. Only the recording knows the type of the elements, hence
 * the casts.
 */
@SuppressWarnings("unchecked")
final class OperationInterpreter {
    private OperationInterpreter() {}

    private static BaseStream<?, ?> filter(BaseStream<?, ?> stream, Condition<?> condition) {
        JvmOperation.readValues(condition);
        return objects(stream).filter((Predicate<Object>) condition);
    }

    private static Stream<Object> objects(BaseStream<?, ?> stream) {
        return (Stream<Object>) stream;
    }

    static BaseStream<?, ?> operation(BaseStream<?, ?> stream, StreamOperation operation) {
        return switch (operation) {
            case StreamOperation.Filter(Condition<?> condition) -> filter(stream, condition);
            case StreamOperation.Sorted(FieldOrder<?> order) ->
                    objects(stream).sorted((Comparator<Object>) order);
            case StreamOperation.NaturallySorted(boolean descending) -> natural(stream, descending);
            case StreamOperation.Skip(long rows) ->
                    switch (stream) {
                        case IntStream s -> s.skip(rows);
                        case LongStream s -> s.skip(rows);
                        case DoubleStream s -> s.skip(rows);
                        default -> objects(stream).skip(rows);
                    };
            case StreamOperation.Limit(long rows) ->
                    switch (stream) {
                        case IntStream s -> s.limit(rows);
                        case LongStream s -> s.limit(rows);
                        case DoubleStream s -> s.limit(rows);
                        default -> objects(stream).limit(rows);
                    };
            case StreamOperation.Project(Field<?, ?> field, Shape shape) ->
                    project(stream, field, shape);
            case StreamOperation.Convert(Shape shape) -> convert(stream, shape);
            case StreamOperation.Distinct _ ->
                    switch (stream) {
                        case IntStream s -> s.distinct();
                        case LongStream s -> s.distinct();
                        case DoubleStream s -> s.distinct();
                        default -> objects(stream).distinct();
                    };
        };
    }

    private static BaseStream<?, ?> natural(BaseStream<?, ?> stream, boolean descending) {
        return switch (stream) {
            case IntStream s -> s.sorted();
            case LongStream s -> s.sorted();
            case DoubleStream s -> s.sorted();
            default -> {
                Comparator<?> order =
                        descending ? Comparator.reverseOrder() : Comparator.naturalOrder();
                yield objects(stream).sorted((Comparator<Object>) order);
            }
        };
    }

    private static BaseStream<?, ?> project(
            BaseStream<?, ?> stream, Field<?, ?> field, Shape shape) {
        Stream<Object> all = objects(stream);
        return switch (shape) {
            case OBJECT -> all.map((Function<Object, Object>) field);
            case INT -> all.mapToInt((ToIntFunction<Object>) field);
            case LONG -> all.mapToLong((ToLongFunction<Object>) field);
            case DOUBLE -> all.mapToDouble((ToDoubleFunction<Object>) field);
        };
    }

    private static BaseStream<?, ?> convert(BaseStream<?, ?> stream, Shape shape) {
        return switch (stream) {
            case IntStream s ->
                    switch (shape) {
                        case OBJECT -> s.boxed();
                        case INT -> s;
                        case LONG -> s.asLongStream();
                        case DOUBLE -> s.asDoubleStream();
                    };
            case LongStream s -> shape == Shape.DOUBLE ? s.asDoubleStream() : s.boxed();
            case DoubleStream s -> s.boxed();
            default -> stream;
        };
    }
}
