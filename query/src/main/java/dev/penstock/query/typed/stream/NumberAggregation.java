package dev.penstock.query.typed.stream;

import dev.penstock.query.Aggregate.Function;
import dev.penstock.query.Cursor;
import dev.penstock.query.typed.field.Field;
import dev.penstock.query.typed.field.IntField;
import dev.penstock.query.typed.mapping.FieldReaders;
import java.util.DoubleSummaryStatistics;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * A terminal operation of a stream of numbers as an aggregation: the aggregate functions, and the reader of their row.
 *
 * @param operation the name of the stream's method
 * @param functions the aggregate functions of the projected field
 * @param reader makes the result of the field and of a row with a column for each function
 * @param <X> the result
 */
record NumberAggregation<X>(String operation, List<Function> functions, Reader<X> reader) {
    /** A reader of a row of aggregates. */
    interface Reader<X> {
        X read(Field<?, ?> field, Cursor row);
    }

    private static final List<Function> SUM = List.of(Function.SUM);
    private static final List<Function> MIN = List.of(Function.MIN);
    private static final List<Function> MAX = List.of(Function.MAX);
    private static final List<Function> EXTREMES = List.of(Function.MIN, Function.MAX);
    private static final List<Function> MEAN = List.of(Function.SUM, Function.COUNT_VALUES);
    private static final List<Function> STATISTICS =
            List.of(Function.SUM, Function.COUNT_VALUES, Function.MIN, Function.MAX);

    static final NumberAggregation<Integer> INT_SUM =
            new NumberAggregation<>("sum", SUM, (_, row) -> (int) row.getLong(0));

    static final NumberAggregation<OptionalInt> INT_MIN =
            new NumberAggregation<>("min", MIN, (_, row) -> intOrNone(row));

    static final NumberAggregation<OptionalInt> INT_MAX =
            new NumberAggregation<>("max", MAX, (_, row) -> intOrNone(row));

    static final NumberAggregation<OptionalDouble> INT_AVERAGE =
            new NumberAggregation<>(
                    "average", MEAN, (_, row) -> average(row, (double) row.getLong(0)));

    static final NumberAggregation<IntSummaryStatistics> INT_STATISTICS =
            new NumberAggregation<>(
                    "summaryStatistics",
                    STATISTICS,
                    (_, row) ->
                            row.getLong(1) == 0
                                    ? new IntSummaryStatistics()
                                    : new IntSummaryStatistics(
                                            row.getLong(1),
                                            row.getInt(2),
                                            row.getInt(3),
                                            row.getLong(0)));

    static final NumberAggregation<Long> LONG_SUM =
            new NumberAggregation<>("sum", SUM, (_, row) -> row.getLong(0));

    static final NumberAggregation<OptionalLong> LONG_MIN =
            new NumberAggregation<>("min", MIN, (_, row) -> longOrNone(row));

    static final NumberAggregation<OptionalLong> LONG_MAX =
            new NumberAggregation<>("max", MAX, (_, row) -> longOrNone(row));

    static final NumberAggregation<OptionalDouble> LONG_AVERAGE = INT_AVERAGE;

    static final NumberAggregation<LongSummaryStatistics> LONG_STATISTICS =
            new NumberAggregation<>(
                    "summaryStatistics",
                    STATISTICS,
                    (_, row) ->
                            row.getLong(1) == 0
                                    ? new LongSummaryStatistics()
                                    : new LongSummaryStatistics(
                                            row.getLong(1),
                                            row.getLong(2),
                                            row.getLong(3),
                                            row.getLong(0)));

    static final NumberAggregation<Double> DOUBLE_SUM =
            new NumberAggregation<>("sum", SUM, NumberAggregation::doubleSum);

    static final NumberAggregation<OptionalDouble> DOUBLE_MIN =
            new NumberAggregation<>(
                    "min",
                    EXTREMES,
                    (field, row) ->
                            row.isNull(0)
                                    ? OptionalDouble.empty()
                                    : OptionalDouble.of(doubleMin(field, row, 0, 1)));

    static final NumberAggregation<OptionalDouble> DOUBLE_MAX =
            new NumberAggregation<>(
                    "max",
                    MAX,
                    (field, row) ->
                            row.isNull(0)
                                    ? OptionalDouble.empty()
                                    : OptionalDouble.of(FieldReaders.number(field, row, 0)));

    static final NumberAggregation<OptionalDouble> DOUBLE_AVERAGE =
            new NumberAggregation<>(
                    "average", MEAN, (field, row) -> average(row, doubleSum(field, row)));

    static final NumberAggregation<DoubleSummaryStatistics> DOUBLE_STATISTICS =
            new NumberAggregation<>(
                    "summaryStatistics",
                    STATISTICS,
                    (field, row) ->
                            row.getLong(1) == 0
                                    ? new DoubleSummaryStatistics()
                                    : statistics(
                                            row.getLong(1),
                                            doubleMin(field, row, 2, 3),
                                            FieldReaders.number(field, row, 3),
                                            doubleSum(field, row)));

    private static OptionalInt intOrNone(Cursor row) {
        return row.isNull(0) ? OptionalInt.empty() : OptionalInt.of(row.getInt(0));
    }

    private static OptionalLong longOrNone(Cursor row) {
        return row.isNull(0) ? OptionalLong.empty() : OptionalLong.of(row.getLong(0));
    }

    private static OptionalDouble average(Cursor row, double sum) {
        long count = row.getLong(1);
        return count == 0 ? OptionalDouble.empty() : OptionalDouble.of(sum / count);
    }

    private static double doubleSum(Field<?, ?> field, Cursor row) {
        return field instanceof IntField<?> ? row.getLong(0) : row.getDouble(0);
    }

    /**
     * Returns the least number as {@link Math#min} has it: NaN, which plans put above everything, is the least as well
     * as the greatest.
     */
    private static double doubleMin(Field<?, ?> field, Cursor row, int least, int greatest) {
        double max = FieldReaders.number(field, row, greatest);
        return Double.isNaN(max) ? max : FieldReaders.number(field, row, least);
    }

    /**
     * Makes statistics whose sum may be the NaN of two infinities: the constructor refuses it, and only adding them one
     * by one makes it.
     */
    private static DoubleSummaryStatistics statistics(
            long count, double min, double max, double sum) {
        if (!Double.isNaN(sum) || Double.isNaN(min)) {
            return new DoubleSummaryStatistics(count, min, max, sum);
        }
        DoubleSummaryStatistics all = new DoubleSummaryStatistics(count - 2, min, max, 0);
        all.accept(min);
        all.accept(max);
        return all;
    }
}
