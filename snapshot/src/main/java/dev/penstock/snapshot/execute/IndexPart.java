package dev.penstock.snapshot.execute;

import dev.penstock.snapshot.column.CodeRange;
import dev.penstock.snapshot.column.CodeRanges;
import dev.penstock.snapshot.index.IndexedColumn;
import dev.penstock.snapshot.rows.Filter;
import java.util.ArrayList;
import java.util.List;

/**
 * The part of a column's index that has all rows which pass a filter.
 *
 * @param codes the codes of the part
 * @param left what a row of the part has to pass still
 * @param rows about how many rows the part has
 */
record IndexPart(CodeRange codes, Filter left, long rows) {
    /** Returns the part that the filter's condition on the column leaves; the whole index where it has none. */
    static IndexPart of(int rows, Filter filter, IndexedColumn column) {
        List<Filter> parts = AccessPath.conjuncts(filter);
        for (Filter part : parts) {
            if (part instanceof Filter.InCodes codes && codes.column() == column) {
                CodeRanges ranges = codes.ranges();
                CodeRange all =
                        CodeRange.of(
                                ranges.get(0).least(), ranges.get(ranges.size() - 1).greatest());
                List<Filter> others = new ArrayList<>(parts);
                if (ranges.size() == 1) {
                    others.remove(part);
                }
                long between = column.count(all);
                return new IndexPart(all, Filter.and(others), between < 0 ? rows : between);
            }
        }
        return new IndexPart(column.coding().all(), filter, rows);
    }
}
