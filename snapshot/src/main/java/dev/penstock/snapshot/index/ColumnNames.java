package dev.penstock.snapshot.index;

import dev.penstock.query.Plan.Item;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The names of columns where a plan names them. Immutable. */
public final class ColumnNames {
    private final List<String> labels;
    private final List<IndexedColumn> columns;

    /** The columns that another table has instead of these. */
    private final Map<IndexedColumn, IndexedColumn> others;

    /**
     * @param labels their names
     * @param columns the columns of those names
     */
    ColumnNames(List<String> labels, List<IndexedColumn> columns) {
        this(List.copyOf(labels), List.copyOf(columns), Map.of());
    }

    private ColumnNames(
            List<String> labels,
            List<IndexedColumn> columns,
            Map<IndexedColumn, IndexedColumn> others) {
        this.labels = labels;
        this.columns = columns;
        this.others = others;
    }

    /** Returns the same columns under the labels of a plan. */
    public ColumnNames renamed(List<Item> items) {
        List<String> names = new ArrayList<>(items.size());
        List<IndexedColumn> named = new ArrayList<>(items.size());
        for (Item item : items) {
            names.add(item.label());
            named.add(column(item.column()));
        }
        return new ColumnNames(names, named);
    }

    /** Returns the columns in the order of their names. */
    public List<IndexedColumn> columns() {
        return others.isEmpty() ? columns : columns.stream().map(this::own).toList();
    }

    /** Returns the column of that name. Whether there is one was found out by the plan itself. */
    public IndexedColumn column(String name) {
        int index = labels.indexOf(name);
        if (index < 0) {
            throw new IllegalArgumentException("there is no column \"" + name + "\"");
        }
        return own(columns.get(index));
    }

    private IndexedColumn own(IndexedColumn column) {
        return others.isEmpty() ? column : others.getOrDefault(column, column);
    }

    /** Returns the columns that another table has instead of these, where it has any. */
    public ColumnNames replaced(Map<IndexedColumn, IndexedColumn> byOthers) {
        return new ColumnNames(labels, columns(), Map.copyOf(byOthers));
    }
}
