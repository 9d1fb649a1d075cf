package dev.penstock.snapshot.aggregate;

import static java.util.Objects.requireNonNull;

import dev.penstock.query.Aggregate;
import dev.penstock.query.Aggregate.Function;
import dev.penstock.query.ColumnType;
import dev.penstock.query.Evaluation;
import dev.penstock.query.Expression;
import dev.penstock.query.QueryException;
import dev.penstock.query.Source;
import dev.penstock.snapshot.column.CodeEncoding;
import dev.penstock.snapshot.column.CodedColumn;
import dev.penstock.snapshot.column.StoredColumn;
import dev.penstock.snapshot.index.ColumnNames;
import dev.penstock.snapshot.index.IndexedColumn;
import dev.penstock.snapshot.memory.Longs;
import dev.penstock.snapshot.rows.FilterCompiler;
import dev.penstock.snapshot.work.QueryContext;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A factory of the accumulators of a plan's aggregates. */
public final class Accumulators {
    private final Source source;
    private final ColumnNames names;
    private final FilterCompiler conditions;
    private final String table;
    private final @Nullable Longs weights;

    /**
     * @param source what the aggregates speak of
     * @param names its columns
     * @param table the table's name, for messages
     * @param weights how often each row counts; null for once
     * @param context of the query
     */
    public Accumulators(
            Source source,
            ColumnNames names,
            String table,
            @Nullable Longs weights,
            QueryContext context) {
        this.source = source;
        this.names = names;
        this.table = table;
        this.weights = weights;
        conditions = new FilterCompiler(names, context);
    }

    Accumulator accumulator(Aggregate aggregate) {
        Accumulator all = unfiltered(aggregate);
        return aggregate.filter() == null
                ? all
                : new Accumulator.Passing(conditions.filter(aggregate.filter())::test, all);
    }

    /**
     * Returns the columns that an aggregate's value is made of, if a row that counts many times may stand for many
     * rows; else null.
     */
    public @Nullable List<IndexedColumn> weighed(Aggregate aggregate) {
        List<IndexedColumn> columns = new ArrayList<>();
        Expression argument = aggregate.argument();
        if (argument instanceof Expression.ColumnValue(String name)) {
            IndexedColumn column = names.column(name);
            boolean adds =
                    aggregate.function() == Function.SUM
                            || aggregate.function() == Function.AVERAGE;
            if (adds
                    && column.stored() instanceof CodedColumn coded
                    && coded.encoding() instanceof CodeEncoding.Listed) {
                return null;
            }
            columns.add(column);
        } else if (argument != null) {
            return null;
        }
        boolean filtered = aggregate.filter() != null;
        return !filtered || conditions.filter(requireNonNull(aggregate.filter())).addTo(columns)
                ? columns
                : null;
    }

    private Accumulator unfiltered(Aggregate aggregate) {
        return switch (aggregate.argument()) {
            case null -> new Accumulator.Rows(weights);
            case Expression.ColumnValue(String name) -> ofColumn(aggregate, names.column(name));
            case Expression.Literal _, Expression.Arithmetic _ -> ofValues(aggregate);
        };
    }

    private Accumulator ofColumn(Aggregate aggregate, IndexedColumn column) {
        StoredColumn stored = column.stored();
        return switch (aggregate.function()) {
            case COUNT -> new Accumulator.Rows(weights);
            case COUNT_VALUES ->
                    stored.hasNulls()
                            ? Accumulator.values(stored::isNull, weights)
                            : new Accumulator.Rows(weights);
            case MIN -> extreme(column, false);
            case MAX -> extreme(column, true);
            case SUM, AVERAGE -> sum(aggregate, column);
        };
    }

    private static Accumulator extreme(IndexedColumn column, boolean greatest) {
        return column.hasCoding()
                ? new Accumulator.Extreme(column, greatest)
                : new ExtremeText(column, greatest);
    }

    private Accumulator sum(Aggregate aggregate, IndexedColumn column) {
        boolean average = aggregate.function() == Function.AVERAGE;
        if (!(column.stored() instanceof CodedColumn coded)) {
            return ofValues(aggregate);
        }
        return switch (coded.encoding()) {
            case CodeEncoding.Whole _ ->
                    sum(column, 0, average ? Accumulators::average : (all, _) -> whole(all));
            case CodeEncoding.Scaled(int scale) ->
                    sum(column, scale, average ? Accumulators::average : (all, _) -> all);
            case CodeEncoding.Floating() ->
                    new FloatingSum(coded, column.reader(), weights, average);
            case CodeEncoding.Listed _ -> ofValues(aggregate);
        };
    }

    private Accumulator sum(IndexedColumn column, int scale, Accumulator.Total<BigDecimal> total) {
        return new WholeSum(
                column.coding(),
                weights,
                (sum, count) -> total.of(new BigDecimal(sum, scale), count));
    }

    private Long whole(BigDecimal sum) {
        try {
            return sum.longValueExact();
        } catch (ArithmeticException e) {
            throw new QueryException(
                    QueryException.Kind.DATABASE,
                    ("a number calculated from table %s is beyond what its type holds (a sum of whole"
                                    + " numbers has 64 bits); add fewer rows, or decimals")
                            .formatted(table),
                    e);
        }
    }

    private Accumulator ofValues(Aggregate aggregate) {
        Expression argument = requireNonNull(aggregate.argument());
        FilterCompiler.RowValue value = conditions.value(argument);
        FilterCompiler.RowValue number =
                row -> value.of(row) instanceof Number n ? normal(n) : null;
        ColumnType type = aggregate.column(source).type();
        return switch (aggregate.function()) {
            case COUNT -> new Accumulator.Rows(weights);
            case COUNT_VALUES -> Accumulator.values(row -> value.of(row) == null, weights);
            case MIN -> new Accumulator.Folded(number, Accumulators::lesser, (all, _) -> all);
            case MAX -> new Accumulator.Folded(number, Accumulators::greater, (all, _) -> all);
            case SUM -> sum(number, type);
            case AVERAGE ->
                    argument.type(source).isFloating()
                            ? new Accumulator.Folded(
                                    number, Accumulators::doubleSum, Accumulators::average)
                            : new Accumulator.Folded(
                                    number, Accumulators::decimalSum, Accumulators::average);
        };
    }

    private Accumulator sum(FilterCompiler.RowValue number, ColumnType type) {
        return switch (type) {
            case LONG ->
                    new Accumulator.Folded(
                            number, Accumulators::decimalSum, (all, _) -> whole(decimal(all)));
            case DECIMAL ->
                    new Accumulator.Folded(
                            number, Accumulators::decimalSum, (all, _) -> decimal(all));
            default ->
                    new Accumulator.Folded(
                            number, Accumulators::doubleSum, (all, _) -> all.doubleValue());
        };
    }

    private static Number normal(Number number) {
        return switch (number) {
            case Float single -> single.doubleValue();
            case Double _, Long _, BigDecimal _ -> number;
            case BigInteger whole -> new BigDecimal(whole);
            default -> number.longValue();
        };
    }

    private static BigDecimal decimal(Number number) {
        return number instanceof BigDecimal decimal
                ? decimal
                : BigDecimal.valueOf(number.longValue());
    }

    private static Number average(Number all, long count) {
        return all.doubleValue() / count;
    }

    private static Number lesser(Number one, Number other) {
        return Evaluation.compare(one, other) <= 0 ? one : other;
    }

    private static Number greater(Number one, Number other) {
        return Evaluation.compare(one, other) >= 0 ? one : other;
    }

    private static Number decimalSum(Number one, Number other) {
        return decimal(one).add(decimal(other));
    }

    private static Number doubleSum(Number one, Number other) {
        return one.doubleValue() + other.doubleValue();
    }
}
