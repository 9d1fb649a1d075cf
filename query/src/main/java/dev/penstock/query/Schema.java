package dev.penstock.query;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The tables and views of one database schema, as they were when they were read. Immutable.
 *
 * @param tables every table and view, in order of name
 * @param foldsToUpperCase whether the database folds unquoted names to upper case, so that upper-case names are shown
 *     in lower case
 * @param references the foreign keys between these tables
 */
public record Schema(List<Table> tables, boolean foldsToUpperCase, List<Reference> references) {
    public Schema {
        tables = List.copyOf(tables);
        references = List.copyOf(references);
    }

    /** A schema of which no foreign keys are known. */
    public Schema(List<Table> tables, boolean foldsToUpperCase) {
        this(tables, foldsToUpperCase, List.of());
    }

    /** Returns the table of that name: the exact one, else the only one that equals it ignoring case. */
    public Optional<Table> table(String name) {
        return pick(tables, name, Table::name);
    }

    /** Returns the column of that name: the exact one, else the only one that equals it ignoring case. */
    public Optional<Column> column(Table table, String name) {
        return pick(table.columns(), name, Column::name);
    }

    /**
     * Returns how a name of this schema is shown outside: as it is, or in lower case where the database folds names to
     * upper case.
     */
    public String display(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return foldsToUpperCase
                        && name.equals(name.toUpperCase(Locale.ROOT))
                        && name.equalsIgnoreCase(lower) // not so for a dotted capital I
                ? lower
                : name;
    }

    /**
     * Returns how a table is called outside: as {@link #display} has it, unless another one differs from it in case
     * alone.
     */
    public String shown(Table table) {
        return shown(table.name(), tables.stream().map(Table::name));
    }

    /**
     * Returns how a column is called outside: as {@link #display} has it, unless another one differs from it in case
     * alone.
     */
    public String shown(Table table, Column column) {
        return shown(column.name(), table.columns().stream().map(Column::name));
    }

    private String shown(String name, Stream<String> all) {
        boolean only = all.filter(name::equalsIgnoreCase).count() <= 1;
        return only ? display(name) : name;
    }

    private static <T> Optional<T> pick(
            List<T> all, String name, java.util.function.Function<T, String> nameOf) {
        T found = null;
        for (T each : all) {
            if (nameOf.apply(each).equals(name)) {
                return Optional.of(each);
            }
        }
        for (T each : all) {
            if (nameOf.apply(each).equalsIgnoreCase(name)) {
                if (found != null) {
                    return Optional.empty();
                }
                found = each;
            }
        }
        return Optional.ofNullable(found);
    }
}
