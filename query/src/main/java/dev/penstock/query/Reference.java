package dev.penstock.query;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * A foreign key: columns of a table that name a row of a table of the same schema. Immutable.
 *
 * @param table the name of the table that has it
 * @param columns the names of its columns there
 * @param target the name of the table whose row it names
 * @param targetColumns the names of the columns there, in the same order
 */
public record Reference(
        String table, List<String> columns, String target, List<String> targetColumns) {
    public Reference {
        requireNonNull(table);
        requireNonNull(target);
        columns = List.copyOf(columns);
        targetColumns = List.copyOf(targetColumns);
        if (columns.isEmpty() || columns.size() != targetColumns.size()) {
            throw new IllegalArgumentException(
                    "a foreign key of "
                            + table
                            + " has "
                            + columns.size()
                            + " columns and names "
                            + targetColumns.size()
                            + " of "
                            + target);
        }
    }
}
