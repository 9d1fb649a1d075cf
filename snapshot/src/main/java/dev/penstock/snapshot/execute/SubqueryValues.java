package dev.penstock.snapshot.execute;

import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import dev.penstock.query.Evaluation;
import dev.penstock.query.Plan;
import dev.penstock.query.Predicate.Comparator;
import dev.penstock.query.QueryException;
import dev.penstock.query.TruthTest;
import dev.penstock.query.Values;
import dev.penstock.snapshot.column.CellReader;
import dev.penstock.snapshot.column.CodeEncoding;
import dev.penstock.snapshot.column.CodeRange;
import dev.penstock.snapshot.column.CodeRanges;
import dev.penstock.snapshot.column.CodedColumn;
import dev.penstock.snapshot.column.StoredColumn;
import dev.penstock.snapshot.index.IndexedColumn;
import dev.penstock.snapshot.memory.HeapReservation;
import dev.penstock.snapshot.rows.Filter;
import dev.penstock.snapshot.rows.RowBlock;
import dev.penstock.snapshot.rows.RowSorter;
import dev.penstock.snapshot.rows.RowSource;
import dev.penstock.snapshot.rows.SubqueryFilter;
import dev.penstock.snapshot.work.QueryContext;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The values of a subquery that was run: a set of codes of the column that they are of, or where that has no codes, of
 * texts. NULL is none of them. What other columns have for them is found once, for all threads of the query.
 */
final class SubqueryValues implements SubqueryFilter {
    /** About what a text takes in a set besides its characters. */
    private static final int TEXT_BYTES = 96;

    /** About what a value takes while it becomes codes of another column. */
    private static final int TRANSLATED_BYTES = 128;

    /** Values between two looks whether the query was cancelled. */
    private static final int CHECKED_VALUES = 1024;

    private final Plan plan;

    /** The column that the values are of. */
    private final IndexedColumn source;

    /** Their codes; null where the column has none. */
    private final @Nullable CodeRanges codes;

    /** The values themselves where the column has no codes; else empty. */
    private final Set<Object> texts;

    /** That of the query, which may be cancelled, and counts what it takes of the heap. */
    private final QueryContext context;

    // Under the lock.

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<IndexedColumn, CodeRanges> codesByColumn = new HashMap<>();
    private final Map<Tested, Filter> madeFilters = new HashMap<>();
    private @Nullable Set<Object> decoded;

    private record Tested(IndexedColumn column, TruthTest test) {}

    private SubqueryValues(
            Plan plan,
            IndexedColumn source,
            @Nullable CodeRanges codes,
            Set<Object> texts,
            QueryContext context) {
        this.plan = plan;
        this.source = source;
        this.codes = codes;
        this.texts = texts;
        this.context = context;
    }

    @Override
    public Plan plan() {
        return plan;
    }

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
                                        Set.of(),
                                        context)
                                : new SubqueryValues(
                                        plan, column, null, texts(column, source, heap), context));
    }

    private static Set<Object> texts(IndexedColumn column, RowSource source, HeapReservation heap) {
        StoredColumn stored = column.stored();
        CellReader reader = column.reader();
        Set<Object> texts =
                stored.column().type() == ColumnType.BINARY
                        ? new TreeSet<>(Evaluation::compare)
                        : new HashSet<>();
        RowBlock.each(
                source,
                (rows, count) -> {
                    for (int i = 0; i < count; i++) {
                        Object value = reader.value(stored.cell(rows[i]));
                        if (value != null && !texts.contains(value)) {
                            heap.take(bytes(value));
                            texts.add(value);
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
        if (column.hasCoding()) {
            return Filter.codes(column, codesOf(column));
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

    @Override
    public Filter tested(IndexedColumn column, TruthTest test, Supplier<Filter> made) {
        lock.lock();
        try {
            Tested tested = new Tested(column, test);
            Filter known = madeFilters.get(tested);
            if (known != null) {
                return known;
            }
            Filter filter = made.get();
            // One of codes keeps nothing while it looks at rows, so that several threads may use
            // it.
            if (filter instanceof Filter.InCodes) {
                madeFilters.put(tested, filter);
            }
            return filter;
        } finally {
            lock.unlock();
        }
    }

    private CodeRanges codesOf(IndexedColumn column) {
        lock.lock();
        try {
            CodeRanges known = codesByColumn.get(column);
            if (known == null) {
                known = found(column);
                codesByColumn.put(column, known);
            }
            return known;
        } finally {
            lock.unlock();
        }
    }

    private CodeRanges found(IndexedColumn column) {
        if (codes != null && haveSameCodes(column, source)) {
            CodeRanges own = CodeRanges.of(column.coding().values());
            // Both are copied, and what they have in common is joined.
            long bytes = 3 * (codes.bytes() + own.bytes());
            return counted(bytes, () -> codes.intersect(own));
        }
        long values = codes == null ? texts.size() : codes.codes();
        return context.call(
                values * Filter.CELL_NANOS,
                () -> counted(values * TRANSLATED_BYTES, () -> codesIn(column)));
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

    /** Returns ranges; what they take while they are made is counted before, and what they keep after that. */
    private CodeRanges counted(long bytes, Supplier<CodeRanges> made) {
        HeapReservation heap = context.reservation();
        heap.take(bytes);
        long kept = 0;
        try {
            CodeRanges ranges = made.get();
            kept = ranges.bytes();
            return ranges;
        } finally {
            heap.giveBack(bytes - kept);
        }
    }

    /** Returns the codes that another column has for the values. */
    private CodeRanges codesIn(IndexedColumn column) {
        List<CodeRange> ranges = new ArrayList<>();
        CellReader reader = source.reader();
        eachCell(cell -> ranges.add(codesIn(column, cell, reader)));
        int read = 0;
        for (Object text : texts) {
            check(read++);
            ranges.add(codesOf(column, text));
        }
        return CodeRanges.union(ranges);
    }

    private static CodeRange codesOf(IndexedColumn column, Object value) {
        Column type = column.stored().column();
        boolean isBeyond =
                type.type() == ColumnType.INT
                        && value instanceof Long wide
                        && wide != wide.intValue();
        return isBeyond
                ? CodeRange.NONE
                : column.coding().codes(Comparator.EQUAL, Values.fit(type, value));
    }

    /**
     * Returns the codes that another column has for a value. Two lists have the same keys, so that nothing is read:
     * they may have values that no Java type holds, such as NaN of a decimal and the day 0000-00-00. Only lists have.
     */
    private CodeRange codesIn(IndexedColumn column, long cell, CellReader reader) {
        CodeRange known =
                column.stored() instanceof CodedColumn own
                                && source.stored() instanceof CodedColumn other
                        ? own.codesOf(other, cell)
                        : null;
        if (known != null) {
            return known;
        }
        Object value;
        try {
            value = reader.value(cell);
        } catch (QueryException e) {
            if (source.stored().column().type() == ColumnType.TIME) {
                // Numbers may stand for a time that is none of the day, such as 838:59:59.
                throw e;
            }
            return CodeRange.NONE;
        }
        return value == null ? CodeRange.NONE : codesOf(column, value);
    }

    /** Returns the values for a column that has no codes; only texts and bytes may be kept so. */
    private Set<Object> values() {
        if (codes == null) {
            return texts;
        }
        lock.lock();
        try {
            Set<Object> known = decoded;
            if (known == null) {
                known = decoded();
                decoded = known;
            }
            return known;
        } finally {
            lock.unlock();
        }
    }

    private Set<Object> decoded() {
        Set<Object> values = new TreeSet<>(Evaluation::compare);
        CellReader reader = source.reader();
        HeapReservation heap = context.reservation();
        eachCell(cell -> {
            Object value = reader.value(cell);
            if (value != null) {
                heap.take(bytes(value));
                values.add(value);
            }
        });
        return values;
    }

    /** Hands over what a reader of the column reads each of its values by; nothing where it has no codes. */
    private void eachCell(LongConsumer taker) {
        CodeRanges all = codes == null ? CodeRanges.NONE : codes;
        int read = 0;
        for (int i = 0; i < all.size(); i++) {
            CodeRange range = all.get(i);
            for (long code = range.least(); code <= range.greatest(); code++) {
                check(read++);
                taker.accept(source.coding().cellOf(code));
            }
        }
    }

    private void check(int read) {
        if (read % CHECKED_VALUES == 0) {
            context.check();
        }
    }
}
