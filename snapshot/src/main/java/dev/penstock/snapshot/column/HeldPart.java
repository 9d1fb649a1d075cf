package dev.penstock.snapshot.column;

import static java.util.Objects.requireNonNull;

import dev.penstock.query.Column;
import dev.penstock.query.Plan;
import dev.penstock.query.Predicate;
import dev.penstock.query.Table;
import java.util.List;
import java.util.Set;

/**
 * The part of a table that is in memory. Immutable.
 *
 * @param whole the table, as it is in the database
 * @param held the same with the columns that are in memory alone, those of the key among them
 * @param rows the condition on columns of the whole table that the rows in memory pass, and no others
 */
public record HeldPart(Table whole, Table held, Predicate rows) {
    public HeldPart {
        requireNonNull(whole);
        requireNonNull(held);
        requireNonNull(rows);
    }

    /**
     * Returns some columns, and those of the key, of the rows that pass a condition.
     *
     * @param columns names of columns of the table; empty for all
     */
    public static HeldPart of(Table table, Set<String> columns, Predicate rows) {
        List<Column> held =
                table.columns().stream()
                        .filter(column ->
                                columns.isEmpty()
                                        || columns.contains(column.name())
                                        || table.primaryKey().contains(column.name()))
                        .toList();
        Table narrow =
                held.equals(table.columns())
                        ? table
                        : new Table(
                                table.schema(),
                                table.name(),
                                held,
                                table.primaryKey(),
                                table.view());
        return new HeldPart(table, narrow, rows);
    }

    /** Returns whether every row is in memory. */
    public boolean hasAllRows() {
        return rows.equals(Predicate.ALL);
    }

    /** Returns whether every row and column is in memory. */
    public boolean isWhole() {
        return hasAllRows() && held.columns().size() == whole.columns().size();
    }

    /** Returns whether a column of that name is in memory. */
    public boolean holds(String column) {
        return has(held, column);
    }

    /** Returns whether the table has a column of that name, and memory has not. */
    public boolean lacks(String column) {
        return !holds(column) && has(whole, column);
    }

    private static boolean has(Table table, String column) {
        return table.columns().stream().anyMatch(each -> each.name().equals(column));
    }

    /** Returns the plan that reads what is held of the rows that pass a further condition. */
    public Plan plan(Predicate further) {
        return Plan.of(whole)
                .where(Predicate.and(further, rows))
                .select(
                        held.columns().stream()
                                .map(column -> new Plan.Item(column.name(), column.name()))
                                .toList());
    }
}
