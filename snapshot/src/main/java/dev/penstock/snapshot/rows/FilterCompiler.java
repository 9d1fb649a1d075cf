package dev.penstock.snapshot.rows;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.penstock.query.Evaluation;
import dev.penstock.query.Expression;
import dev.penstock.query.Predicate;
import dev.penstock.query.Predicate.Comparator;
import dev.penstock.query.Predicate.TextOperation;
import dev.penstock.query.Subquery;
import dev.penstock.query.TruthTest;
import dev.penstock.query.Utf8;
import dev.penstock.query.Values;
import dev.penstock.snapshot.column.CellReader;
import dev.penstock.snapshot.column.CodeEncoding;
import dev.penstock.snapshot.column.CodeRange;
import dev.penstock.snapshot.column.CodeRanges;
import dev.penstock.snapshot.column.CodedColumn;
import dev.penstock.snapshot.column.OrderedCodes;
import dev.penstock.snapshot.column.StoredColumn;
import dev.penstock.snapshot.column.StoredTable;
import dev.penstock.snapshot.column.TextColumn;
import dev.penstock.snapshot.execute.PlanValidator;
import dev.penstock.snapshot.index.ColumnNames;
import dev.penstock.snapshot.index.IndexedColumn;
import dev.penstock.snapshot.work.IndexesToBuild;
import dev.penstock.snapshot.work.QueryContext;
import dev.penstock.snapshot.work.WorkerThreads;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * A compiler of conditions to filters. It takes conditions that {@link PlanValidator} let pass, and makes ranges and
 * sets of codes where these can say it; else a text is looked at once for each different value of its column, and what
 * nothing else can do, row by row as {@link Evaluation} does it.
 */
public final class FilterCompiler {
    private final ColumnNames names;
    private final QueryContext context;
    private final CodeSetMemory sets;

    /**
     * @param names the columns that conditions speak of
     * @param context asked now and then whether to go on
     */
    public FilterCompiler(ColumnNames names, QueryContext context) {
        this.names = names;
        this.context = context;
        sets = new CodeSetMemory(context);
    }

    /** Returns the rows that pass a condition that was checked; for one thread. */
    public Filter filter(Predicate predicate) {
        return filter(predicate, TruthTest.IS_TRUE);
    }

    private Filter filter(Predicate predicate, TruthTest test) {
        return switch (predicate) {
            case Predicate.And(List<Predicate> all) -> several(all, test.isNegated(), test);
            case Predicate.Or(List<Predicate> any) -> several(any, !test.isNegated(), test);
            case Predicate.Not(Predicate inner) -> filter(inner, test.ofComplement());
            case Predicate.SqlNot(Predicate inner) -> filter(inner, test.ofSqlNot());
            case Predicate.IsNull(String name) -> tested(isNull(names.column(name)), test);
            case Predicate.Comparison(String name, Comparator by, Object value) -> {
                IndexedColumn column = names.column(name);
                Filter passing = compared(column, by, value);
                yield by == Comparator.NOT_EQUAL
                        ? tested(passing, test)
                        : tested(passing, test, column);
            }
            case Predicate.In(String name, List<Object> values) -> {
                IndexedColumn column = names.column(name);
                yield values.isEmpty()
                        ? tested(Filter.Constant.NONE, test)
                        : tested(in(column, values), test, column);
            }
            case Predicate.InSubquery(String name, Subquery subquery) -> {
                if (!(subquery instanceof SubqueryFilter known)) {
                    throw new IllegalStateException(
                            "the values for column %s were not found before its rows"
                                    .formatted(name));
                }
                IndexedColumn column = names.column(name);
                Filter passing = known.filter(column);
                yield passing instanceof Filter.InCodes(_, _, CodeRanges ranges)
                                && test != TruthTest.IS_TRUE
                        ? known.tested(
                                column,
                                test,
                                () -> sets.complement(ranges, () -> tested(passing, test, column)))
                        : tested(passing, test, column);
            }
            case Predicate.Text text -> {
                IndexedColumn column = names.column(text.column());
                yield tested(text(column, text), test, column);
            }
            case Predicate.Matches matches -> {
                IndexedColumn column = names.column(matches.column());
                yield tested(matches(column, matches), test, column);
            }
            case Predicate.Relation relation -> tested(relation, test);
        };
    }

    private Filter several(List<Predicate> parts, boolean any, TruthTest test) {
        List<Filter> filters = new ArrayList<>(parts.size());
        for (Predicate part : parts) {
            filters.add(filter(part, test));
        }
        return sets.joined(filters, () -> any ? Filter.or(filters) : Filter.and(filters));
    }

    /** Returns the rows that pass a test of a condition that is never unknown. */
    private static Filter tested(Filter passing, TruthTest test) {
        return test.isNegated() ? Filter.not(passing) : passing;
    }

    /** Returns the rows that pass a test of a condition that is unknown of NULL in a column. */
    private static Filter tested(Filter passing, TruthTest test, IndexedColumn column) {
        return switch (test) {
            case IS_TRUE -> passing;
            case IS_NOT_TRUE -> Filter.not(passing);
            case IS_FALSE -> fails(passing, column);
            case IS_NOT_FALSE -> Filter.not(fails(passing, column));
        };
    }

    /** Returns the rows with a value that does not pass: of ranges of codes, those between them. */
    private static Filter fails(Filter passing, IndexedColumn column) {
        if (column.stored().nulls() == 0) {
            return Filter.not(passing);
        }
        if (passing instanceof Filter.InCodes(_, _, CodeRanges ranges)) {
            return Filter.codes(column, ranges.complement(column.coding().values()));
        }
        Filter hasValue =
                column.hasCoding()
                        ? range(column, column.coding().values())
                        : Filter.not(isNull(column));
        return Filter.and(hasValue, Filter.not(passing));
    }

    private Filter tested(Predicate.Relation relation, TruthTest test) {
        Filter passing = relation(relation);
        if (relation.comparator() == Comparator.NOT_EQUAL || test == TruthTest.IS_TRUE) {
            return tested(passing, test);
        }
        Map<String, RowValue> cells = new HashMap<>();
        collect(relation.left(), cells);
        collect(relation.right(), cells);
        List<Filter> unknown = new ArrayList<>();
        cells.keySet().forEach(name -> unknown.add(isNull(names.column(name))));
        return switch (test) {
            case IS_TRUE, IS_NOT_TRUE -> Filter.not(passing);
            case IS_FALSE -> Filter.not(Filter.or(List.of(passing, Filter.or(unknown))));
            case IS_NOT_FALSE -> Filter.or(List.of(passing, Filter.or(unknown)));
        };
    }

    private static Filter isNull(IndexedColumn column) {
        StoredColumn stored = column.stored();
        if (stored.nulls() == 0) {
            return Filter.Constant.NONE;
        }
        if (stored.nulls() == stored.rows()) {
            return Filter.Constant.ALL;
        }
        return switch (stored) {
            case CodedColumn coded -> Filter.codes(column, CodeRanges.of(coded.nullCode()));
            case TextColumn text -> new Filter.ByRow(text::isNull, Filter.CODE_NANOS);
        };
    }

    private static Filter range(IndexedColumn column, CodeRange codes) {
        return Filter.codes(column, CodeRanges.of(codes));
    }

    private static Object fit(IndexedColumn column, Object value) {
        return Values.fit(column.stored().column(), value);
    }

    private static Filter compared(IndexedColumn column, Comparator by, Object value) {
        Object fitting = fit(column, value);
        if (!column.hasCoding()) {
            return byText(column, by, key(fitting));
        }
        OrderedCodes coding = column.coding();
        return by == Comparator.NOT_EQUAL
                ? Filter.not(range(column, coding.codes(Comparator.EQUAL, fitting)))
                : range(column, coding.codes(by, fitting));
    }

    private static Filter in(IndexedColumn column, List<Object> values) {
        if (values.isEmpty()) {
            return Filter.Constant.NONE;
        }
        if (!column.hasCoding()) {
            return Filter.or(
                    values.stream()
                            .map(value -> compared(column, Comparator.EQUAL, value))
                            .toList());
        }
        return WorkerThreads.call(
                Filter.CELL_NANOS * values.size(), () -> in(column, column.coding(), values));
    }

    private static Filter in(IndexedColumn column, OrderedCodes coding, List<Object> values) {
        List<CodeRange> codes = new ArrayList<>(values.size());
        for (Object value : values) {
            codes.add(coding.codes(Comparator.EQUAL, fit(column, value)));
        }
        return Filter.codes(column, CodeRanges.union(codes));
    }

    private Filter text(IndexedColumn column, Predicate.Text text) {
        if (!text.ignoringCase() && text.operation() == TextOperation.EQUAL) {
            return compared(column, Comparator.EQUAL, text.value());
        }
        if (!text.ignoringCase() && text.operation() == TextOperation.STARTS_WITH) {
            byte[] start = text.value().getBytes(UTF_8);
            return column.hasCoding()
                    ? range(column, column.coding().startingWith(start))
                    : byKey(column, key -> startsWith(key, start));
        }
        if (text.ignoringCase()) {
            return byValue(column, value -> Evaluation.test(text, _ -> value));
        }
        byte[] part = text.value().getBytes(UTF_8);
        if (text.operation() == TextOperation.ENDS_WITH) {
            return byKey(column, key -> endsWith(key, part));
        }
        return column.stored() instanceof TextColumn texts && TextSearch.isFor(texts, part)
                ? new Filter.ByRow(
                        TextSearch.of(texts, part, context.reservation())::isIn, TextSearch.NANOS)
                : byKey(column, key -> contains(key, part));
    }

    /** Returns the rows whose text matches; only texts that have what a match requires are matched. */
    private Filter matches(IndexedColumn column, Predicate.Matches matches) {
        Pattern pattern = Pattern.compile(matches.pattern(), matches.flags());
        Matcher matcher = pattern.matcher("");
        byte[] required = RequiredText.of(pattern).getBytes(UTF_8);
        if (!(column.stored() instanceof TextColumn texts) || !TextSearch.isFor(texts, required)) {
            return byValue(
                    column, value -> value != null && matcher.reset((String) value).matches());
        }
        TextSearch search = TextSearch.of(texts, required, context.reservation());
        CellReader reader = column.reader();
        return new Filter.ByRow(row ->
                search.isIn(row)
                        && matcher.reset((String) requireNonNull(reader.value(row))).matches());
    }

    private static byte[] key(Object value) {
        return value instanceof byte[] bytes ? bytes : value.toString().getBytes(UTF_8);
    }

    /** Compares each row's text, where there is no memory for their order. */
    private static Filter byText(IndexedColumn column, Comparator by, byte[] value) {
        TextColumn texts = (TextColumn) column.stored();
        TextColumn.Reader reader = texts.reader();
        return new Filter.ByRow(row ->
                texts.isNull(row)
                        ? by == Comparator.NOT_EQUAL
                        : by.holds(reader.compare(row, value, value.length)));
    }

    private static boolean startsWith(Utf8 text, byte[] part) {
        int start = text.offset();
        return text.length() >= part.length
                && Arrays.equals(text.array(), start, start + part.length, part, 0, part.length);
    }

    private static boolean endsWith(Utf8 text, byte[] part) {
        int end = text.offset() + text.length();
        return text.length() >= part.length
                && Arrays.equals(text.array(), end - part.length, end, part, 0, part.length);
    }

    private static boolean contains(Utf8 text, byte[] part) {
        byte[] array = text.array();
        int last = text.offset() + text.length() - part.length;
        for (int at = text.offset(); at <= last; at++) {
            int same = 0;
            while (same < part.length && array[at + same] == part[same]) {
                same++;
            }
            if (same == part.length) {
                return true;
            }
        }
        return false;
    }

    private Filter byKey(IndexedColumn column, java.util.function.Predicate<Utf8> passes) {
        CellReader reader = column.reader();
        return byCell(column, cell -> !reader.isNull(cell) && passes.test(reader.key(cell)));
    }

    private Filter byValue(
            IndexedColumn column, java.util.function.Predicate<@Nullable Object> passes) {
        CellReader reader = column.reader();
        return byCell(column, cell -> passes.test(reader.value(cell)));
    }

    /** Tests each different value once where they are listed, else each row's. */
    private Filter byCell(IndexedColumn column, LongPredicate passes) {
        if (!(column.stored() instanceof CodedColumn coded)) {
            return new Filter.ByRow(passes::test);
        }
        CodeRange values = coded.values();
        if (IndexesToBuild.areOnlyNoted()
                && values.greatest() - values.least() >= StoredTable.BLOCK_ROWS) {
            // Too many to be looked at for an explanation, which takes it that any may pass.
            return new Filter.InCodes(column, coded.codes(), CodeRanges.of(values));
        }
        long nanos = Filter.CELL_NANOS * (values.greatest() - values.least() + 1);
        LongStream passing =
                LongStream.rangeClosed(values.least(), values.greatest())
                        .filter(cell -> passes(passes, cell));
        return WorkerThreads.call(
                nanos, () -> Filter.codes(column, CodeRanges.of(passing.toArray())));
    }

    private boolean passes(LongPredicate condition, long cell) {
        if (cell % StoredTable.BLOCK_ROWS == 0) {
            context.check();
        }
        return condition.test(cell);
    }

    private Filter relation(Predicate.Relation relation) {
        if (relation.left() instanceof Expression.ColumnValue(String left)
                && relation.right() instanceof Expression.ColumnValue(String right)
                && names.column(left).stored() instanceof CodedColumn one
                && names.column(right).stored() instanceof CodedColumn other
                && one.column().type() == other.column().type()
                && one.encoding().equals(other.encoding())
                && !(one.encoding() instanceof CodeEncoding.Listed)) {
            return new Filter.ByRow(
                    row -> compare(one, relation.comparator(), other, row), Filter.CODE_NANOS);
        }
        Map<String, RowValue> cells = new HashMap<>();
        collect(relation.left(), cells);
        collect(relation.right(), cells);
        return new Filter.ByRow(
                row -> Evaluation.test(relation, name -> requireNonNull(cells.get(name)).of(row)));
    }

    /** Compares cells by their codes, which mean the same. */
    private static boolean compare(CodedColumn one, Comparator by, CodedColumn other, int row) {
        boolean isNull = one.isNull(row);
        if (isNull || other.isNull(row)) {
            return by == Comparator.NOT_EQUAL && isNull != other.isNull(row);
        }
        return by.holds(Long.compare(one.codes().get(row), other.codes().get(row)));
    }

    /** Returns what an expression comes to, row by row; for one thread. */
    public RowValue value(Expression expression) {
        Map<String, RowValue> cells = new HashMap<>();
        collect(expression, cells);
        return row -> Evaluation.value(expression, name -> requireNonNull(cells.get(name)).of(row));
    }

    private void collect(Expression expression, Map<String, RowValue> cells) {
        switch (expression) {
            case Expression.ColumnValue(String name) -> {
                IndexedColumn column = names.column(name);
                StoredColumn stored = column.stored();
                CellReader reader = column.reader();
                cells.put(name, row -> reader.value(stored.cell(row)));
            }
            case Expression.Literal _ -> {}
            case Expression.Arithmetic(_, Expression left, Expression right) -> {
                collect(left, cells);
                collect(right, cells);
            }
        }
    }

    /** A value made of a row. */
    public interface RowValue {
        @Nullable Object of(int row);
    }
}
