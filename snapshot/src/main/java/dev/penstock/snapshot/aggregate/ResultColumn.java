package dev.penstock.snapshot.aggregate;

import dev.penstock.query.Column;
import dev.penstock.snapshot.column.CellReader;
import dev.penstock.snapshot.column.StoredColumn;
import dev.penstock.snapshot.index.IndexedColumn;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A column of a result: a cell for each row, or for each group. Used by one thread.
 *
 * @param reader reads the cells
 * @param cells what it reads the cell of a row by
 * @param known which rows have a cell; the others' are NULL. Null for all
 */
public record ResultColumn(
        CellReader reader, IntToLongFunction cells, @Nullable IntPredicate known) {
    /** Returns the cells of a stored column. */
    public static ResultColumn of(IndexedColumn column) {
        StoredColumn stored = column.stored();
        return new ResultColumn(column.reader(), stored::cell, null);
    }

    /** Numbers that were calculated, as {@link CellReader} takes them. */
    public static ResultColumn of(Column label, IntFunction<@Nullable Number> numbers) {
        return new ResultColumn(new CellReader(label, numbers), group -> group, null);
    }

    /** Returns whether there is no cell, which is as good as NULL. */
    public boolean isAbsent(int row) {
        return known != null && !known.test(row);
    }

    /** Returns what the reader reads the cell of a row by. */
    public long cell(int row) {
        return cells.applyAsLong(row);
    }
}
