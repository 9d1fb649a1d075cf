package dev.penstock.query.typed.stream;

import dev.penstock.query.Aggregate;
import dev.penstock.query.Cursor;
import dev.penstock.query.Engine;
import dev.penstock.query.Expression;
import dev.penstock.query.Plan;
import dev.penstock.query.Predicate;
import dev.penstock.query.QueryException;
import dev.penstock.query.typed.field.Field;
import dev.penstock.query.typed.field.LongField;
import dev.penstock.query.typed.pushdown.Recording;
import dev.penstock.query.typed.pushdown.StreamOperation;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The terminal operations that an engine answers with one row. */
final class TerminalPushdown {
    /** The labels of the columns of aggregates: at most four, and a count of rows. */
    private static final List<String> LABELS = List.of("f0", "f1", "f2", "f3", "f4");

    private TerminalPushdown() {}

    /**
     * Reads the plan's row, if the engine takes the plan.
     *
     * @param operation the terminal operation
     * @param read what is made of the cursor, before its first row
     * @param otherwise what is done where the engine refuses the plan
     */
    static <X> X of(
            StreamContext context,
            Recording<?> recording,
            String operation,
            Plan plan,
            Function<Cursor, X> read,
            Supplier<X> otherwise) {
        Cursor opened;
        try {
            Engine engine = recording.mapping().engine();
            opened = context.isParallel() ? engine.openParallel(plan) : engine.openScoped(plan);
        } catch (QueryException e) {
            if (e.kind() != QueryException.Kind.INVALID_PLAN) {
                throw e;
            }
            context.because(operation + ": " + e.getMessage());
            context.readBy(operation);
            return context.end(otherwise);
        }
        try (Cursor cursor = opened) {
            return read.apply(cursor);
        }
    }

    /**
     * Returns the only row's value; null where there is no row. Reads to the end, so that nothing is left to be
     * cancelled.
     */
    static <X> @Nullable X only(Cursor cursor, Function<Cursor, X> read) {
        if (!cursor.next()) {
            return null;
        }
        X value = read.apply(cursor);
        cursor.next();
        return value;
    }

    /** Counts the elements of a stream. */
    static long count(StreamContext context, Recording<?> recording, Supplier<Long> otherwise) {
        return of(
                context,
                recording,
                "count",
                recording.plan().count(),
                TerminalPushdown::count,
                otherwise);
    }

    /** Returns the count of a plan that counts. */
    static long count(Cursor cursor) {
        Long count = only(cursor, row -> row.getLong(0));
        return count == null ? 0 : count;
    }

    /**
     * Aggregates a projected field. A null among its values is an error, as it is where the values are read one by one:
     * where there may be one, the rows are counted as well.
     *
     * @param otherwise what is done where the engine refuses the plan
     */
    static <X> X aggregate(
            StreamContext context,
            Recording<?> recording,
            NumberAggregation<X> aggregation,
            Supplier<X> otherwise) {
        Field<?, ?> field = recording.field();
        List<Aggregate.Function> functions = aggregation.functions();
        Expression cell = new Expression.ColumnValue(recording.item().column());
        List<Aggregate> aggregates = new ArrayList<>(LABELS.size());
        for (Aggregate.Function function : functions) {
            Expression argument =
                    function == Aggregate.Function.SUM ? summand(recording, cell) : cell;
            aggregates.add(new Aggregate(function, argument, null, LABELS.get(aggregates.size())));
        }
        boolean nulls = recording.mayHoldNull(field);
        int counted = functions.indexOf(Aggregate.Function.COUNT_VALUES);
        int last = aggregates.size();
        if (nulls) {
            Aggregate rows = Aggregate.count(LABELS.get(last));
            Predicate isNull = new Predicate.IsNull(recording.item().column());
            aggregates.add(counted < 0 ? rows.where(isNull) : rows);
        }
        Plan plan = recording.plan().aggregate(List.of(), aggregates);
        Function<Cursor, X> present =
                row -> {
                    if (nulls && row.getLong(last) != (counted < 0 ? 0 : row.getLong(counted))) {
                        Object ignored = field.required(null);
                    }
                    return aggregation.reader().read(field, row);
                };
        return of(
                context,
                recording,
                aggregation.operation(),
                plan,
                cursor -> {
                    X value = only(cursor, present);
                    if (value == null) {
                        throw new IllegalStateException("an aggregation gave no row");
                    }
                    return value;
                },
                otherwise);
    }

    /** Returns what is added up: of longs that are taken for doubles it is decimals, whose sum has no bound. */
    private static Expression summand(Recording<?> recording, Expression cell) {
        return recording.values() == StreamOperation.Shape.DOUBLE
                        && recording.field() instanceof LongField<?>
                ? new Expression.Arithmetic(
                        Expression.Operator.PLUS, cell, new Expression.Literal(BigDecimal.ZERO))
                : cell;
    }
}
