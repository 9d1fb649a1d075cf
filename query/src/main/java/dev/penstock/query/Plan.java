package dev.penstock.query;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;

/**
 * What is asked of one table: an immutable value without any SQL. Rows that pass {@code filter}, in {@code order}, cut by
 * {@code slices} one after the other, and of each row what {@code output} says.
 *
 * <p>A plan without order has no order; with an order or a slice, the primary key is appended, so that ties and pages
 * are the same every time.
 *
 * @param table the table that is read
 * @param filter which rows
 * @param order by which columns, the most significant first
 * @param slices skips and limits, applied in sequence
 * @param output what becomes of the rows
 */
public record Plan(
        Table table, Predicate filter, List<Order> order, List<Slice> slices, Output output) {

    /**
     * One column to sort by.
     *
     * @param column its name
     * @param descending whether larger values come first
     * @param nullsFirst whether NULLs come before all values
     */
    public record Order(String column, boolean descending, boolean nullsFirst) {
        public Order {
            requireNonNull(column);
        }
    }

    /** A cut through the rows so far. */
    public sealed interface Slice {
        /** Leaves out the first {@code rows} rows. */
        record Skip(long rows) implements Slice {
            public Skip {
                requireNotNegative("skip", rows);
            }
        }

        /** Ends after {@code rows} rows. */
        record Limit(long rows) implements Slice {
            public Limit {
                requireNotNegative("limit", rows);
            }
        }

        private static void requireNotNegative(String what, long rows) {
            if (rows < 0) {
                throw new QueryException(
                        QueryException.Kind.INVALID_PLAN, what + " " + rows + " is negative");
            }
        }
    }

    /** What becomes of the rows. */
    public sealed interface Output {
        /**
         * Some columns of each row, in this order; a column may occur more than once, each time under its label.
         *
         * @param columns what to give
         */
        record Columns(List<Item> columns) implements Output {
            public Columns {
                columns = List.copyOf(columns);
                if (columns.isEmpty()) {
                    throw new QueryException(
                            QueryException.Kind.INVALID_PLAN, "a plan gives at least one column");
                }
            }
        }

        /** One row with one {@code LONG} column, {@code count}: how many rows there are. */
        record Count() implements Output {}
    }

    /**
     * A column in the answer.
     *
     * @param column its name in the table
     * @param label its name in the answer
     */
    public record Item(String column, String label) {
        public Item {
            requireNonNull(column);
            requireNonNull(label);
        }
    }

    public Plan {
        requireNonNull(table);
        requireNonNull(filter);
        order = List.copyOf(order);
        slices = List.copyOf(slices);
        requireNonNull(output);
    }

    /** Every row and column of a table. */
    public static Plan of(Table table) {
        List<Item> all = new ArrayList<>();
        for (Column column : table.columns()) {
            all.add(new Item(column.name(), column.name()));
        }
        return new Plan(table, Predicate.ALL, List.of(), List.of(), new Output.Columns(all));
    }

    /** The same plan for the rows that pass {@code filter} as well. To be called before any slice. */
    public Plan where(Predicate filter) {
        if (!slices.isEmpty()) {
            throw new QueryException(
                    QueryException.Kind.INVALID_PLAN, "a filter comes before the slices of a plan");
        }
        Predicate both =
                this.filter.equals(Predicate.ALL)
                        ? filter
                        : new Predicate.And(List.of(this.filter, filter));
        return new Plan(table, both, order, slices, output);
    }

    /** The same plan in this order. */
    public Plan orderBy(List<Order> order) {
        return new Plan(table, filter, order, slices, output);
    }

    /** The same plan without the first rows of its answer. */
    public Plan skip(long rows) {
        return with(new Slice.Skip(rows));
    }

    /** The same plan, ending after so many rows. */
    public Plan limit(long rows) {
        return with(new Slice.Limit(rows));
    }

    /** The same plan, giving these columns. */
    public Plan select(List<Item> columns) {
        return new Plan(table, filter, order, slices, new Output.Columns(columns));
    }

    /** The same plan, giving the number of rows instead of them. */
    public Plan count() {
        return new Plan(table, filter, order, slices, new Output.Count());
    }

    private Plan with(Slice slice) {
        List<Slice> more = new ArrayList<>(slices);
        more.add(slice);
        return new Plan(table, filter, order, more, output);
    }
}
