package dev.penstock.query;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A query of one table: an immutable value without any SQL. Rows of the source that pass {@code filter}, in
 * {@code order}, cut by {@code slices} one after the other, and of each row, or of all of them, what {@code output}
 * says.
 *
 * <p>The source is a table, or another plan, whose answer's columns then go by their labels. So there is a plan for
 * every sequence of filters, orders and slices; the methods nest by themselves where one block can't say it.
 *
 * <p>A plan without order has no order; with an order or a slice, the key is appended, so that ties and pages are the
 * same every time. Rows of a nested plan keep their order; an order of the outer plan comes before it.
 *
 * @param source what is read
 * @param filter which rows, by columns of the source
 * @param order by which columns of the source, the most significant first
 * @param slices skips and limits, applied in sequence
 * @param output what becomes of the rows
 */
public record Plan(
        Source source, Predicate filter, List<Order> order, List<Slice> slices, Output output)
        implements Source, Subquery {
    private static final String COUNT = "count";

    /**
     * One column to sort by.
     *
     * @param column its name
     * @param descending whether larger values come first
     * @param nullsFirst whether NULLs come before all values
     * @param nativeOrder whether values are in the order of the column's own type in the database ({@link NativeType}),
     *     not in that of their {@link ColumnType}; then only the database answers
     */
    public record Order(
            String column, boolean descending, boolean nullsFirst, boolean nativeOrder) {
        public Order {
            requireNonNull(column);
        }

        /** By the order of the {@link ColumnType}. */
        public Order(String column, boolean descending, boolean nullsFirst) {
            this(column, descending, nullsFirst, false);
        }

        /** Returns the same by another column. */
        public Order by(String other) {
            return new Order(other, descending, nullsFirst, nativeOrder);
        }
    }

    /** A cut through the rows so far. */
    public sealed interface Slice {
        /** A slice without the first {@code rows} rows. */
        record Skip(long rows) implements Slice {
            public Skip {
                requireNotNegative("skip", rows);
            }
        }

        /** A slice that ends after {@code rows} rows. */
        record Limit(long rows) implements Slice {
            public Limit {
                requireNotNegative("limit", rows);
            }
        }

        private static void requireNotNegative(String what, long rows) {
            if (rows < 0) {
                throw invalid(what + " " + rows + " is negative");
            }
        }
    }

    /** The result that is made of the rows. */
    public sealed interface Output {
        /**
         * A selection of columns of each row, in this order; a column may occur more than once, each time under its
         * label.
         *
         * @param columns what to give
         */
        record Columns(List<Item> columns) implements Output {
            public Columns {
                columns = List.copyOf(columns);
                requireSome(columns);
            }
        }

        /**
         * The same without repetition: one row of those whose cells are all equal. NULLs are equal; doubles are as
         * {@link Double#equals} has it, decimals as {@link java.math.BigDecimal#equals} has it. Where the plan has an
         * order, the rows are in that of their first occurrence.
         *
         * @param columns what to give
         */
        record Distinct(List<Item> columns) implements Output {
            public Distinct {
                columns = List.copyOf(columns);
                requireSome(columns);
            }
        }

        /** One row with one {@code LONG} column, {@code count}: how many rows there are. */
        record Count() implements Output {}

        /**
         * A row for each group of rows whose keys are equal, as with {@link Distinct}, in no order: the keys, then the
         * values. Without keys, exactly one row.
         *
         * @param keys what makes a group
         * @param values what is made of each
         */
        record Aggregation(List<Item> keys, List<Aggregate> values) implements Output {
            public Aggregation {
                keys = List.copyOf(keys);
                values = List.copyOf(values);
                if (keys.isEmpty() && values.isEmpty()) {
                    throw invalid("an aggregation gives at least one value");
                }
            }
        }

        private static void requireSome(List<Item> columns) {
            if (columns.isEmpty()) {
                throw invalid("a plan gives at least one column");
            }
        }
    }

    /**
     * A column in the answer.
     *
     * @param column its name in the source
     * @param label its name in the answer
     */
    public record Item(String column, String label) {
        public Item {
            requireNonNull(column);
            requireNonNull(label);
        }
    }

    public Plan {
        requireNonNull(source);
        requireNonNull(filter);
        order = List.copyOf(order);
        slices = List.copyOf(slices);
        requireNonNull(output);
        if (source instanceof Plan inner) {
            requireDistinctLabels(inner);
        }
    }

    private static void requireDistinctLabels(Plan inner) {
        List<String> labels = inner.labels();
        Set<String> different = new HashSet<>();
        for (String label : labels) {
            if (!different.add(label)) {
                throw invalid("a nested plan gives two columns of the name \"" + label + "\"");
            }
        }
    }

    private List<String> labels() {
        List<String> labels = new ArrayList<>();
        items().forEach(item -> labels.add(item.label()));
        calculated().forEach(value -> labels.add(value.label()));
        return labels;
    }

    /** Returns the columns of the source that the answer has, which are its first. */
    public List<Item> items() {
        return switch (output) {
            case Output.Columns(List<Item> items) -> items;
            case Output.Distinct(List<Item> items) -> items;
            case Output.Count() -> List.of();
            case Output.Aggregation(List<Item> keys, _) -> keys;
        };
    }

    /** Returns what is calculated, which comes after them. */
    private List<Aggregate> calculated() {
        return switch (output) {
            case Output.Columns _, Output.Distinct _ -> List.of();
            case Output.Count() -> List.of(Aggregate.count(COUNT));
            case Output.Aggregation(_, List<Aggregate> values) -> values;
        };
    }

    private static QueryException invalid(String message) {
        return new QueryException(QueryException.Kind.INVALID_PLAN, message);
    }

    /** Every row and column of a table, or of another plan's answer. */
    public static Plan of(Source source) {
        return new Plan(source, Predicate.ALL, List.of(), List.of(), all(source));
    }

    private static Output.Columns all(Source source) {
        List<String> names =
                switch (source) {
                    case Table table -> table.columns().stream().map(Column::name).toList();
                    case Plan inner -> inner.labels();
                };
        List<Item> all = new ArrayList<>(names.size());
        for (String name : names) {
            all.add(new Item(name, name));
        }
        return new Output.Columns(all);
    }

    @Override
    public Plan plan() {
        return this;
    }

    /** Returns the table that is read, however deep it is nested. */
    public Table table() {
        return switch (source) {
            case Table table -> table;
            case Plan inner -> inner.table();
        };
    }

    /** Returns the columns of the answer, under their labels. */
    @Override
    public List<Column> columns() {
        List<Column> columns = new ArrayList<>();
        items().forEach(item -> columns.add(labelled(item)));
        calculated().forEach(value -> columns.add(value.column(source)));
        return List.copyOf(columns);
    }

    private Column labelled(Item item) {
        return source.column(item.column()).named(item.label());
    }

    @Override
    public Column column(String name) {
        // Not by way of all columns, each of which would ask the source for all of its own.
        for (Item item : items()) {
            if (item.label().equals(name)) {
                return labelled(item);
            }
        }
        for (Aggregate value : calculated()) {
            if (value.label().equals(name)) {
                return value.column(source);
            }
        }
        throw new QueryException(
                QueryException.Kind.UNKNOWN_NAME,
                "the plan of table " + table().name() + " gives no column \"" + name + "\"");
    }

    /** Labels of columns that tell any two rows of the answer apart; empty where none are known to. */
    @Override
    public List<String> key() {
        return switch (output) {
            case Output.Columns(List<Item> items) -> labels(items, source.key());
            case Output.Distinct _, Output.Aggregation _ ->
                    items().stream().map(Item::label).toList();
            case Output.Count() -> List.of(COUNT);
        };
    }

    private static List<String> labels(List<Item> items, List<String> columns) {
        List<String> labels = new ArrayList<>();
        for (String column : columns) {
            for (Item item : items) {
                if (item.column().equals(column)) {
                    labels.add(item.label());
                    break;
                }
            }
        }
        return labels.size() == columns.size() ? List.copyOf(labels) : List.of();
    }

    /**
     * Returns the same plan for the rows that pass {@code filter} as well. It speaks of the source's columns, selected
     * or not; of a plan that counts, aggregates or is distinct, it speaks of the answer's.
     */
    public Plan where(Predicate filter) {
        if (!givesRows()) {
            return of(this).where(filter);
        }
        return slices.isEmpty()
                ? new Plan(source, Predicate.and(this.filter, filter), order, slices, output)
                : new Plan(rows(), filter, List.of(), List.of(), output);
    }

    /**
     * Returns the same plan in this order, and where that leaves two rows equal, in the order so far. Names are as
     * {@link #where} has them.
     */
    public Plan orderBy(List<Order> order) {
        if (order.isEmpty()) {
            return this;
        }
        if (!givesRows()) {
            return of(this).orderBy(order);
        }
        if (!slices.isEmpty()) {
            return new Plan(rows(), Predicate.ALL, order, List.of(), output);
        }
        return new Plan(source, filter, joined(order, this.order), slices, output);
    }

    /** Returns the same plan without the first rows of its answer. */
    public Plan skip(long rows) {
        return with(new Slice.Skip(rows));
    }

    /** Returns the same plan, ending after so many rows. */
    public Plan limit(long rows) {
        return with(new Slice.Limit(rows));
    }

    /** Returns the same plan, giving these columns. */
    public Plan select(List<Item> columns) {
        return with(new Output.Columns(columns));
    }

    /** Returns the same plan, giving these columns without repetition. */
    public Plan distinct(List<Item> columns) {
        return with(new Output.Distinct(columns));
    }

    /** Returns the same plan, giving one row for each group of its rows. */
    public Plan aggregate(List<Item> keys, List<Aggregate> values) {
        return with(new Output.Aggregation(keys, values));
    }

    /** Returns the same plan, giving the number of rows instead of them. */
    public Plan count() {
        return with(new Output.Count());
    }

    private boolean givesRows() {
        return output instanceof Output.Columns;
    }

    /** This block with every column of its source, for an outer one that selects. */
    private Plan rows() {
        return new Plan(source, filter, order, slices, all(source));
    }

    private Plan with(Output output) {
        return givesRows()
                ? new Plan(source, filter, order, slices, output)
                : new Plan(this, Predicate.ALL, List.of(), List.of(), output);
    }

    private Plan with(Slice slice) {
        if (!givesRows()) {
            return of(this).with(slice);
        }
        return new Plan(source, filter, order, joined(slices, List.of(slice)), output);
    }

    private static <T> List<T> joined(List<T> one, List<T> other) {
        if (one.isEmpty() || other.isEmpty()) {
            return one.isEmpty() ? other : one;
        }
        List<T> both = new ArrayList<>(one.size() + other.size());
        both.addAll(one);
        both.addAll(other);
        return both;
    }
}
