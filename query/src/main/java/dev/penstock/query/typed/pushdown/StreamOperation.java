package dev.penstock.query.typed.pushdown;

import dev.penstock.query.typed.field.Condition;
import dev.penstock.query.typed.field.Field;
import dev.penstock.query.typed.field.FieldOrder;

/** An intermediate operation of a stream that a plan can say. */
public sealed interface StreamOperation {
    /** The kind of a stream's elements. */
    enum Shape {
        OBJECT,
        INT,
        LONG,
        DOUBLE
    }

    /** The operation {@code filter}. */
    record Filter(Condition<?> condition) implements StreamOperation {}

    /** The operation {@code sorted}, of either kind. */
    sealed interface Sort extends StreamOperation {}

    /** The operation {@code skip} or {@code limit}. */
    sealed interface Slice extends StreamOperation {}

    /** The operation {@code sorted} by fields, which the database sorts as the JVM does. */
    record Sorted(FieldOrder<?> order) implements Sort {}

    /** The operation {@code sorted} of the values of one field by themselves. */
    record NaturallySorted(boolean descending) implements Sort {}

    /** The operation {@code skip}. */
    record Skip(long rows) implements Slice {}

    /** The operation {@code limit}. */
    record Limit(long rows) implements Slice {}

    /**
     * The operation {@code map}, {@code mapToInt}, {@code mapToLong} or {@code mapToDouble}: from here on the elements
     * are the values of one field.
     */
    record Project(Field<?, ?> field, Shape shape) implements StreamOperation {}

    /** The operation {@code asLongStream}, {@code asDoubleStream} or {@code boxed}. */
    record Convert(Shape shape) implements StreamOperation {}

    /** The operation {@code distinct}. */
    record Distinct() implements StreamOperation {}

    /** Returns the name of the stream's method. */
    default String name() {
        return switch (this) {
            case Filter _ -> "filter";
            case Sorted _, NaturallySorted _ -> "sorted";
            case Skip _ -> "skip";
            case Limit _ -> "limit";
            case Project(_, Shape shape) ->
                    switch (shape) {
                        case OBJECT -> "map";
                        case INT -> "mapToInt";
                        case LONG -> "mapToLong";
                        case DOUBLE -> "mapToDouble";
                    };
            case Convert(Shape shape) ->
                    switch (shape) {
                        case OBJECT -> "boxed";
                        case INT -> "asIntStream";
                        case LONG -> "asLongStream";
                        case DOUBLE -> "asDoubleStream";
                    };
            case Distinct _ -> "distinct";
        };
    }
}
