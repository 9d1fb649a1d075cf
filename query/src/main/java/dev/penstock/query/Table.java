package dev.penstock.query;

import static java.util.Objects.requireNonNull;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A table or view, as it was read from the database's schema. Immutable.
 *
 * @param schema the schema that holds it, or null where the database has none
 * @param name its name in the database, exactly
 * @param columns its columns, in the database's order
 * @param primaryKey the names of the primary key's columns in key order; empty where there is none
 * @param view whether it is a view
 */
public record Table(
        @Nullable String schema,
        String name,
        List<Column> columns,
        List<String> primaryKey,
        boolean view)
        implements Source {
    public Table {
        requireNonNull(name);
        columns = List.copyOf(columns);
        primaryKey = List.copyOf(primaryKey);
    }

    /** Of the name alone: plans are looked up by their table for each query. */
    @Override
    public int hashCode() {
        return name.hashCode();
    }

    @Override
    public List<String> key() {
        return primaryKey;
    }

    @Override
    public Column column(String name) {
        for (Column column : columns) {
            if (column.name().equals(name)) {
                return column;
            }
        }
        throw new QueryException(
                QueryException.Kind.UNKNOWN_NAME,
                "table " + this.name + " has no column \"" + name + "\"");
    }
}
