package dev.penstock.query.typed.execute;

import dev.penstock.query.Subquery;
import dev.penstock.query.typed.field.Condition;
import dev.penstock.query.typed.pushdown.StreamOperation;
import dev.penstock.query.typed.subquery.StreamSubquery;
import java.util.function.UnaryOperator;
import java.util.stream.BaseStream;

/**
 * An intermediate operation that the JDK's streams run on a plan's rows.
 *
 * @param name the method's name
 * @param kind what is known of it
 * @param rows how many elements a skip or a limit is of; 0 for the others
 * @param code whether it is code or no operation on fields, rather than a recorded operation that the engine refuses
 * @param apply makes the stream after the operation of the one before it
 */
public record JvmOperation(
        String name, Kind kind, long rows, boolean code, UnaryOperator<BaseStream<?, ?>> apply) {
    public enum Kind {
        /** Gives one element for each, in the same sequence. */
        ONE_TO_ONE,

        /** {@code skip}. */
        SKIP,

        /** {@code limit}. */
        LIMIT,

        /** Leaves elements out by their place: {@code takeWhile} and {@code dropWhile}. */
        CUT,

        /** Sorts stably, so that elements that compare as equal stay in the order in which they came. */
        SORT,

        /** Any other, whose result does not depend on the order of its elements. */
        OTHER;

        /** Returns whether what comes out depends on the order of what goes in. */
        boolean needsOrder() {
            return this == SORT || cuts();
        }

        /** Returns whether elements are left out by their place. */
        boolean cuts() {
            return this == SKIP || this == LIMIT || this == CUT;
        }
    }

    /**
     * Reads the values of streams that a condition compares with before rows are tested by it, for which no second
     * connection is there, perhaps, while the rows are read.
     */
    public static void readValues(Condition<?> condition) {
        if (condition.fieldCondition() == null) {
            Subquery.each(
                    condition.predicate(),
                    in -> {
                        if (in.subquery() instanceof StreamSubquery subquery) {
                            Object _ = subquery.values();
                        }
                    });
        }
    }

    /** Returns a recorded filter that the engine does not run. */
    static JvmOperation of(Condition<?> condition) {
        return of(new StreamOperation.Filter(condition));
    }

    /** Returns a recorded operation that the engine does not run. */
    static JvmOperation of(StreamOperation operation) {
        Kind kind =
                switch (operation) {
                    case StreamOperation.Project _, StreamOperation.Convert _ -> Kind.ONE_TO_ONE;
                    case StreamOperation.Skip _ -> Kind.SKIP;
                    case StreamOperation.Limit _ -> Kind.LIMIT;
                    case StreamOperation.Sort _ -> Kind.SORT;
                    case StreamOperation.Filter _, StreamOperation.Distinct _ -> Kind.OTHER;
                };
        long rows =
                switch (operation) {
                    case StreamOperation.Skip(long skipped) -> skipped;
                    case StreamOperation.Limit(long most) -> most;
                    default -> 0;
                };
        return new JvmOperation(
                operation.name(),
                kind,
                rows,
                false,
                stream -> OperationInterpreter.operation(stream, operation));
    }
}
