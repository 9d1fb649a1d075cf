package dev.penstock.snapshot.index;

import dev.penstock.query.Plan.Item;
import java.util.List;

/**
 * The names of columns where a plan names them. Immutable.
 *
 * @param labels their names
 * @param columns the columns of those names
 */
public record ColumnNames(List<String> labels, List<IndexedColumn> columns) {
    public ColumnNames {
        labels = List.copyOf(labels);
        columns = List.copyOf(columns);
    }

    /** Returns the same columns under the labels of a plan. */
    public ColumnNames renamed(List<Item> items) {
        return new ColumnNames(
                items.stream().map(Item::label).toList(),
                items.stream().map(item -> column(item.column())).toList());
    }

    /** Returns the column of that name. Whether there is one was found out by the plan itself. */
    public IndexedColumn column(String name) {
        int index = labels.indexOf(name);
        if (index < 0) {
            throw new IllegalArgumentException("there is no column \"" + name + "\"");
        }
        return columns.get(index);
    }

    /** Returns the columns that another table has instead of these, where it has any. */
    public ColumnNames replaced(java.util.Map<IndexedColumn, IndexedColumn> others) {
        return new ColumnNames(
                labels,
                columns.stream().map(column -> others.getOrDefault(column, column)).toList());
    }
}
