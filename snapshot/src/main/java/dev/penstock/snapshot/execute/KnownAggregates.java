package dev.penstock.snapshot.execute;

import dev.penstock.query.Aggregate;
import dev.penstock.query.Aggregate.Function;
import dev.penstock.query.Expression;
import dev.penstock.query.Plan;
import dev.penstock.query.Predicate;
import dev.penstock.snapshot.aggregate.ResultColumn;
import dev.penstock.snapshot.column.CodeRange;
import dev.penstock.snapshot.column.CodeRanges;
import dev.penstock.snapshot.column.OrderedCodes;
import dev.penstock.snapshot.index.IndexedColumn;
import dev.penstock.snapshot.rows.Filter;
import dev.penstock.snapshot.rows.FilterCompiler;
import dev.penstock.snapshot.work.QueryContext;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Aggregates of all rows of a table, or of those with some codes, that columns and indexes know without a look at a
 * row: counts, and least and greatest values.
 *
 * @param rows whose aggregates they are
 * @param conditions a compiler of the aggregates' own filters
 */
record KnownAggregates(PendingRows rows, FilterCompiler conditions) {
    /** Returns the plan of aggregates without keys; null where one of them is not known. */
    static PhysicalPlan.@Nullable Known of(
            Plan plan, PendingRows rows, List<Aggregate> values, QueryContext context) {
        if (!rows.isWhole()) {
            return null;
        }
        KnownAggregates known =
                new KnownAggregates(rows, new FilterCompiler(rows.names(), context));
        List<ResultColumn> columns = new ArrayList<>(values.size());
        for (Aggregate value : values) {
            ResultColumn column = known.column(plan, value);
            if (column == null) {
                return null;
            }
            columns.add(column);
        }
        return new PhysicalPlan.Known(columns);
    }

    private @Nullable ResultColumn column(Plan plan, Aggregate value) {
        if (value.function() == Function.COUNT) {
            return count(plan, value, filter(value));
        }
        if (!(value.argument() instanceof Expression.ColumnValue(String name))) {
            return null;
        }
        return switch (value.function()) {
            case COUNT, SUM, AVERAGE -> null;
            case COUNT_VALUES -> {
                Filter present = conditions.filter(new Predicate.Not(new Predicate.IsNull(name)));
                yield count(plan, value, Filter.and(filter(value), present));
            }
            case MIN -> extreme(rows.names().column(name), filter(value), false);
            case MAX -> extreme(rows.names().column(name), filter(value), true);
        };
    }

    private Filter filter(Aggregate value) {
        Predicate own = value.filter();
        return own == null ? rows.filter() : Filter.and(rows.filter(), conditions.filter(own));
    }

    private @Nullable ResultColumn count(Plan plan, Aggregate value, Filter filter) {
        long count =
                switch (filter) {
                    case Filter.Constant(boolean truth) -> truth ? rows.table().rows() : 0;
                    case Filter.InCodes codes -> AccessPath.known(codes);
                    case Filter.All _, Filter.Any _, Filter.Not _, Filter.ByRow _ -> -1;
                };
        return count < 0 ? null : ResultColumn.of(value.column(plan.source()), _ -> count);
    }

    private static @Nullable ResultColumn extreme(
            IndexedColumn column, Filter filter, boolean greatest) {
        @Nullable CodeRange extent =
                switch (filter) {
                    case Filter.Constant(boolean truth) when !truth -> CodeRange.NONE;
                    case Filter.Constant _ when column.hasCoding() -> column.coding().values();
                    case Filter.InCodes(IndexedColumn by, _, CodeRanges ranges) when by == column ->
                            column.extent(ranges);
                    case Filter _ -> null;
                };
        if (extent == null) {
            return null;
        }
        if (extent.isEmpty()) {
            return new ResultColumn(column.reader(), _ -> 0, _ -> false);
        }
        OrderedCodes coding = column.coding();
        long code = greatest ? extent.greatest() : extent.least();
        return new ResultColumn(column.reader(), _ -> coding.cellOf(code), null);
    }
}
