package dev.penstock.query.sql.statement;

import static java.util.Objects.requireNonNull;

import dev.penstock.query.ColumnType;
import dev.penstock.query.QueryException;
import dev.penstock.query.Table;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A table, or what a nested plan gives, with the SQL that names it and its columns. Immutable. */
public final class SqlTable {
    private final Table table;
    private final String name;
    private final List<SqlColumn> columns;
    private final Map<String, SqlColumn> byName = new HashMap<>();
    private final @Nullable SqlColumn rowAddress;

    /**
     * Columns are in the order of the table's.
     *
     * @param table what the outside sees
     * @param name the quoted, qualified name
     */
    public SqlTable(Table table, String name, List<SqlColumn> columns) {
        this(table, name, columns, null);
    }

    /**
     * A table whose rows have an address.
     *
     * @param rowAddress a column that nobody sees, in which two rows differ as long as nobody changes them
     */
    public SqlTable(
            Table table, String name, List<SqlColumn> columns, @Nullable SqlColumn rowAddress) {
        this.table = requireNonNull(table);
        this.name = requireNonNull(name);
        this.columns = List.copyOf(columns);
        columns.forEach(column -> byName.put(column.column().name(), column));
        this.rowAddress = rowAddress;
        if (rowAddress != null) {
            byName.put(rowAddress.column().name(), rowAddress);
        }
    }

    /** Where a row is, for tables of which that is known; null for others. */
    public @Nullable SqlColumn rowAddress() {
        return rowAddress;
    }

    public Table table() {
        return table;
    }

    public String name() {
        return name;
    }

    public List<SqlColumn> columns() {
        return columns;
    }

    /** Returns whether a column holds instants, which a database may spell in the session's zone. */
    public boolean hasInstants() {
        return columns.stream().anyMatch(c -> c.column().type() == ColumnType.TIMESTAMP_UTC);
    }

    public SqlColumn column(String name) {
        SqlColumn column = byName.get(name);
        if (column == null) {
            throw new QueryException(
                    QueryException.Kind.UNKNOWN_NAME,
                    "table " + table.name() + " has no column \"" + name + "\"");
        }
        return column;
    }
}
