package dev.penstock.query.sql;

import static java.util.Objects.requireNonNull;

import dev.penstock.query.QueryException;
import dev.penstock.query.Table;
import java.util.List;

/**
 * A table with the SQL that names it and its columns.
 *
 * @param table what the outside sees
 * @param name the quoted, qualified name
 * @param columns in the order of the table's
 */
record SqlTable(Table table, String name, List<SqlColumn> columns) {
    SqlTable {
        requireNonNull(table);
        requireNonNull(name);
        columns = List.copyOf(columns);
    }

    SqlColumn column(String name) {
        for (SqlColumn column : columns) {
            if (column.column().name().equals(name)) {
                return column;
            }
        }
        throw new QueryException(
                QueryException.Kind.UNKNOWN_NAME,
                "table " + table.name() + " has no column \"" + name + "\"");
    }
}
