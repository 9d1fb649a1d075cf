package dev.penstock.query.typed.pushdown;

import dev.penstock.query.typed.field.Condition;
import dev.penstock.query.typed.field.Field;
import dev.penstock.query.typed.field.FieldOrder;

/** One recorded operation. */
public sealed interface Step {
    /** What the elements of a stream are. */
    enum Shape {
        OBJECT,
        INT,
        LONG,
        DOUBLE
    }

    /** {@code filter}. */
    record Filter(Condition<?> condition) implements Step {}

    /** {@code sorted} of one kind or the other. */
    sealed interface Sort extends Step {}

    /** {@code skip} or {@code limit}. */
    sealed interface Cut extends Step {}

    /** {@code sorted} by fields, which the database sorts as the JVM does. */
    record Sorted(FieldOrder<?> order) implements Sort {}

    /** {@code sorted} of the values of one field by themselves. */
    record Natural(boolean descending) implements Sort {}

    /** {@code skip}. */
    record Skip(long rows) implements Cut {}

    /** {@code limit}. */
    record Limit(long rows) implements Cut {}

    /** {@code map} or one of its like: from here on the elements are the values of one field. */
    record Project(Field<?, ?> field, Shape shape) implements Step {}

    /** {@code asLongStream}, {@code asDoubleStream} or {@code boxed}. */
    record Convert(Shape shape) implements Step {}

    /** {@code distinct}. */
    record Distinct() implements Step {}

    /** The operation's name. */
    default String operation() {
        return switch (this) {
            case Filter _ -> "filter";
            case Sorted _, Natural _ -> "sorted";
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
