package dev.penstock.snapshot.execute;

import static java.util.Objects.requireNonNull;

import dev.penstock.query.Column;
import dev.penstock.query.Window;
import dev.penstock.snapshot.index.CompositeIndex;
import dev.penstock.snapshot.index.IndexedColumn;
import dev.penstock.snapshot.rows.Filter;
import dev.penstock.snapshot.rows.OrderedIndexScan;
import dev.penstock.snapshot.rows.RowList;
import dev.penstock.snapshot.rows.RowSorter;
import dev.penstock.snapshot.rows.RowSource;
import dev.penstock.snapshot.rows.SortKey;
import dev.penstock.snapshot.work.QueryContext;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The way in which rows are found, ordered and cut, decided once: what is run, and what an explanation prints.
 * Immutable; for one thread, as filters are.
 */
sealed interface RowPlan
        permits AccessPath,
                RowPlan.Nothing,
                RowPlan.Listed,
                RowPlan.IndexOrder,
                RowPlan.Sorted,
                RowPlan.Cut,
                RowPlan.Composite,
                RowPlan.CompositeToBuild {
    /** Begins to read the rows. */
    RowSource open(QueryContext context);

    /**
     * Says in words how the rows are found.
     *
     * @param window the part of them that is read
     */
    String explain(Window window);

    /** Says in words how all the rows are found. */
    default String explain() {
        return explain(Window.ALL);
    }

    /** The plan of no row. */
    record Nothing() implements RowPlan {
        @Override
        public RowSource open(QueryContext context) {
            return new RowSource.Range(0, context);
        }

        @Override
        public String explain(Window window) {
            return "no row is read";
        }
    }

    /** The rows of a list that pass a filter. */
    record Listed(RowList list, Filter filter) implements RowPlan {
        @Override
        public RowSource open(QueryContext context) {
            return new RowSource.Listed(list, filter, context);
        }

        @Override
        public String explain(Window window) {
            return String.format(
                    Locale.ROOT, "%,d rows that were found before are read", list.size());
        }
    }

    /**
     * The rows that pass a filter, in the order of an index and then of other columns.
     *
     * @param rows how many the table has
     * @param keys what the rows are sorted by; the index is that of the first
     * @param part the part of the index that is read
     * @param touched about how many rows are looked at
     */
    record IndexOrder(int rows, List<SortKey> keys, IndexPart part, double touched)
            implements RowPlan {
        public IndexOrder {
            keys = List.copyOf(keys);
        }

        @Override
        public RowSource open(QueryContext context) {
            IndexedColumn column = keys.getFirst().column();
            int nulls = column.coding().nulls();
            return new OrderedIndexScan(
                    keys,
                    requireNonNull(column.index()),
                    nulls,
                    part.codes(),
                    part.left(),
                    context);
        }

        @Override
        public String explain(Window window) {
            return String.format(
                    Locale.ROOT,
                    "the index of %s is read in its order: about %,d of %,d rows",
                    keys.getFirst().column().name(),
                    (long) Math.ceil(touched),
                    rows);
        }
    }

    /**
     * Rows that are sorted after they are found.
     *
     * @param most how many of the first are wanted
     */
    record Sorted(RowPlan input, List<SortKey> keys, long most) implements RowPlan {
        /** Up to so many rows are kept while all are read; for more, all are sorted. */
        static final int MOST_KEPT = 100_000;

        public Sorted {
            keys = List.copyOf(keys);
        }

        @Override
        public RowSource open(QueryContext context) {
            RowSorter sorter = new RowSorter(keys);
            RowSource found = input.open(context);
            RowList sorted;
            if (most <= MOST_KEPT) {
                sorted = sorter.first(found, (int) most, context);
            } else {
                sorted = PendingRows.fetched(found, context);
                sorter.sort(sorted.array(), sorted.size(), context);
            }
            return new RowSource.Listed(sorted, Filter.Constant.ALL, context);
        }

        @Override
        public String explain(Window window) {
            String how =
                    keys.stream().allMatch(SortKey::isCoded)
                            ? ""
                            : " by comparing its texts, since there is no memory for their order";
            return input.explain() + "; what passes is sorted" + how;
        }
    }

    /** A part of other rows. */
    record Cut(RowPlan input, Window window) implements RowPlan {
        @Override
        public RowSource open(QueryContext context) {
            return RowSource.windowed(input.open(context), window);
        }

        @Override
        public String explain(Window part) {
            return input.explain(window);
        }
    }

    /** The different rows of some columns, each of which stands for several rows of the table. */
    record Composite(RowPlan input, CompositeIndex index) implements RowPlan {
        @Override
        public RowSource open(QueryContext context) {
            return input.open(context);
        }

        @Override
        public String explain(Window window) {
            List<Column> columns = index.table().stored().table().columns();
            int rows = index.table().rows();
            long touched = input instanceof AccessPath path ? path.touched() : rows;
            return String.format(
                    Locale.ROOT,
                    "the index of columns %s is read: %,d of %,d different rows of theirs",
                    columns.stream().map(Column::name).collect(Collectors.joining(", ")),
                    touched,
                    rows);
        }
    }

    /**
     * The rows of an index of several columns that an explanation does not build.
     *
     * @param index its name
     */
    record CompositeToBuild(String index) implements RowPlan {
        @Override
        public RowSource open(QueryContext context) {
            throw new IllegalStateException(index + " is not built by an explanation");
        }

        @Override
        public String explain(Window window) {
            return index + " is read";
        }
    }
}
