package dev.penstock.snapshot.execute;

import dev.penstock.query.ColumnType;
import dev.penstock.query.Evaluation;
import dev.penstock.query.Plan;
import dev.penstock.query.Predicate.Comparator;
import dev.penstock.query.Values;
import dev.penstock.snapshot.column.CellReader;
import dev.penstock.snapshot.column.CodeEncoding;
import dev.penstock.snapshot.column.CodeRange;
import dev.penstock.snapshot.column.CodeRanges;
import dev.penstock.snapshot.column.CodedColumn;
import dev.penstock.snapshot.column.OrderedCodes;
import dev.penstock.snapshot.column.StoredColumn;
import dev.penstock.snapshot.index.IndexedColumn;
import dev.penstock.snapshot.memory.HeapReservation;
import dev.penstock.snapshot.rows.Filter;
import dev.penstock.snapshot.rows.RowBlocks;
import dev.penstock.snapshot.rows.RowSorter;
import dev.penstock.snapshot.rows.RowSource;
import dev.penstock.snapshot.rows.SubqueryFilter;
import dev.penstock.snapshot.work.QueryContext;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The values of a subquery that was run: a set of codes of the column that they are of, or where that has no codes, of
 * texts. NULL is none of them.
 *
 * @param plan the subquery
 * @param source the column that the values are of
 * @param codes their codes; null where the column has none
 * @param texts the values themselves where it has none; else empty
 */
record SubqueryValues(
        Plan plan, IndexedColumn source, @Nullable CodeRanges codes, Set<Object> texts)
        implements SubqueryFilter {
    /** About what a text takes in a set besides its characters. */
    private static final int TEXT_BYTES = 96;

    /** Reads the values of the only column that a plan gives. */
    static SubqueryValues of(Plan plan, PendingRows rows, QueryContext context) {
        IndexedColumn column = rows.names().columns().getFirst();
        RowSource source = rows.planInAnyOrder().open(context);
        HeapReservation heap = context.reservation();
        return context.call(
                RowSorter.ROW_FACTOR * source.nanos(),
                () ->
                        column.stored() instanceof CodedColumn coded
                                ? new SubqueryValues(
                                        plan,
                                        column,
                                        CodeCollector.codes(coded, source, heap),
                                        Set.of())
                                : new SubqueryValues(
                                        plan, column, null, texts(column, source, heap)));
    }

    private static Set<Object> texts(IndexedColumn column, RowSource source, HeapReservation heap) {
        StoredColumn stored = column.stored();
        CellReader reader = column.reader();
        Set<Object> texts =
                stored.column().type() == ColumnType.BINARY
                        ? new TreeSet<>(Evaluation::compare)
                        : new HashSet<>();
        RowBlocks.each(
                source,
                (rows, count) -> {
                    for (int i = 0; i < count; i++) {
                        Object value = reader.value(stored.cell(rows[i]));
                        if (value != null && texts.add(value)) {
                            heap.take(bytes(value));
                        }
                    }
                });
        return texts;
    }

    private static long bytes(Object value) {
        return TEXT_BYTES
                + switch (value) {
                    case String text -> (long) text.length() * Character.BYTES;
                    case byte[] bytes -> bytes.length;
                    default -> 0;
                };
    }

    @Override
    public Filter filter(IndexedColumn column) {
        if (codes != null && haveSameCodes(column, source)) {
            return Filter.codes(column, codes.intersect(CodeRanges.of(column.coding().values())));
        }
        if (column.hasCoding()) {
            return Filter.codes(column, codesIn(column));
        }
        CellReader reader = column.reader();
        StoredColumn stored = column.stored();
        Set<Object> known = values();
        return new Filter.ByRow(
                row -> {
                    Object value = reader.value(stored.cell(row));
                    return value != null && known.contains(value);
                },
                Filter.CELL_NANOS);
    }

    @SuppressWarnings("ReferenceEquality") // a column is the same only as itself
    private static boolean haveSameCodes(IndexedColumn one, IndexedColumn other) {
        return (one == other && !one.coding().hasEquals())
                || (one.stored() instanceof CodedColumn a
                        && other.stored() instanceof CodedColumn b
                        && !(a.encoding() instanceof CodeEncoding.Listed)
                        && a.encoding().equals(b.encoding())
                        && (a.column().type() == b.column().type()
                                || (isWhole(a.column().type()) && isWhole(b.column().type()))));
    }

    private static boolean isWhole(ColumnType type) {
        return type == ColumnType.INT || type == ColumnType.LONG;
    }

    /** Returns the codes that another column has for the values. */
    private CodeRanges codesIn(IndexedColumn column) {
        OrderedCodes coding = column.coding();
        boolean isNarrow = column.stored().column().type() == ColumnType.INT;
        List<CodeRange> ranges = new ArrayList<>();
        each(value -> {
            if (!(isNarrow && value instanceof Long wide && wide != wide.intValue())) {
                Object fitting = Values.fit(column.stored().column(), value);
                ranges.add(coding.codes(Comparator.EQUAL, fitting));
            }
        });
        return CodeRanges.union(ranges);
    }

    private Set<Object> values() {
        if (codes == null) {
            return texts;
        }
        Set<Object> values = new TreeSet<>(Evaluation::compare);
        each(values::add);
        return values;
    }

    private void each(Consumer<Object> taker) {
        if (codes == null) {
            texts.forEach(taker);
            return;
        }
        CellReader reader = source.reader();
        for (CodeRange range : codes.list()) {
            for (long code = range.least(); code <= range.greatest(); code++) {
                Object value = reader.value(source.coding().cellOf(code));
                if (value != null) {
                    taker.accept(value);
                }
            }
        }
    }
}
