package dev.penstock.snapshot;

import dev.penstock.query.Column;
import dev.penstock.query.Cursor;
import dev.penstock.query.QueryException;
import dev.penstock.query.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntBinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Makes a {@link StoredTable} of rows in any order. What it needs meanwhile is outside the heap, and is given back when it is closed. Not
 * thread-safe.
 */
final class TableBuilder implements AutoCloseable {
    /** Row numbers, and one more, are ints. */
    static final int MAX_ROWS = Integer.MAX_VALUE - 1;

    private final Table table;
    private final Memory memory;
    private final Memory.Scratch scratch;
    private final List<CellsBuilder> columns = new ArrayList<>();
    private int rows;

    TableBuilder(Table table, Memory memory) {
        this.table = table;
        this.memory = memory;
        scratch = memory.scratch();
        for (Column column : table.columns()) {
            columns.add(
                    WholeBuilder.takes(column.type())
                            ? new WholeBuilder(column, scratch)
                            : new ListedBuilder(column, scratch));
        }
    }

    /** Adds every row that the cursor still has, whose columns are the table's. */
    TableBuilder addAll(Cursor cursor) {
        while (cursor.next()) {
            add(cursor);
        }
        return this;
    }

    /** Adds the cursor's row, whose columns are the table's. */
    void add(Cursor cursor) {
        if (rows == MAX_ROWS) {
            throw new QueryException(
                    QueryException.Kind.MEMORY_LIMIT,
                    "table %s has more than the %,d rows that a snapshot holds"
                            .formatted(table.name(), MAX_ROWS));
        }
        for (int i = 0; i < columns.size(); i++) {
            if (cursor.isNull(i)) {
                columns.get(i).addNull();
            } else if (!columns.get(i).add(cursor, i)) {
                widen(i);
                if (!columns.get(i).add(cursor, i)) {
                    widen(i);
                    columns.get(i).add(cursor, i);
                }
            }
        }
        rows++;
    }

    private void widen(int column) {
        columns.set(column, columns.get(column).wider());
    }

    int rows() {
        return rows;
    }

    /** The table, in the order of its key. */
    StoredTable build() {
        List<StoredColumn> key = new ArrayList<>();
        for (String name : table.primaryKey()) {
            key.add(build(table.columns().indexOf(table.column(name)), null));
        }
        Longs order = order(key);
        List<StoredColumn> built = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            int place = table.primaryKey().indexOf(table.columns().get(i).name());
            built.add(order == null && place >= 0 ? key.get(place) : build(i, order));
        }
        return new StoredTable(table, built, rows);
    }

    private StoredColumn build(int index, @Nullable Longs order) {
        StoredColumn column = columns.get(index).build(memory, order);
        while (column == null) {
            widen(index);
            column = columns.get(index).build(memory, order);
        }
        return column;
    }

    /** Which row comes at a place; null where they are in order as they are. */
    private @Nullable Longs order(List<StoredColumn> key) {
        if (key.isEmpty()) {
            return null;
        }
        IntBinaryOperator compare = comparison(key);
        for (int row = 1; row < rows; row++) {
            if (compare.applyAsInt(row - 1, row) > 0) {
                return Permutation.sorted(scratch, rows, compare);
            }
        }
        return null;
    }

    private static IntBinaryOperator comparison(List<StoredColumn> key) {
        return (one, other) -> {
            for (StoredColumn column : key) {
                int compared =
                        switch (column) {
                            case CodedColumn coded ->
                                    Long.compare(coded.cell(one), coded.cell(other));
                            case TextColumn text -> text.texts().compare(one, other);
                        };
                if (compared != 0) {
                    return compared;
                }
            }
            return 0;
        };
    }

    /** Gives back what was needed meanwhile; tables that were built stay. Closing twice does no harm. */
    @Override
    public void close() {
        scratch.close();
    }
}
