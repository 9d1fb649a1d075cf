package dev.penstock.snapshot.build;

import static java.util.Objects.requireNonNull;

import dev.penstock.query.Column;
import dev.penstock.query.Cursor;
import dev.penstock.query.QueryException;
import dev.penstock.query.Table;
import dev.penstock.snapshot.column.CodedColumn;
import dev.penstock.snapshot.column.StoredColumn;
import dev.penstock.snapshot.column.StoredTable;
import dev.penstock.snapshot.column.TextColumn;
import dev.penstock.snapshot.column.TextCompression;
import dev.penstock.snapshot.memory.Longs;
import dev.penstock.snapshot.memory.Memory;
import dev.penstock.snapshot.memory.Permutation;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntBinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A builder of a {@link StoredTable} from rows in any order. What it needs meanwhile is outside the heap, and is given
 * back when it is closed. Not thread-safe.
 */
public final class TableBuilder implements AutoCloseable {
    /** Row numbers, and one more, are ints. */
    static final int MAX_ROWS = Integer.MAX_VALUE - 1;

    private final Table table;
    private final Memory memory;
    private final List<TextCompression> compressions;
    private final List<Memory.Scratch> scratches = new ArrayList<>();
    private final List<ColumnBuilder> columns = new ArrayList<>();
    private int rows;

    public TableBuilder(Table table, Memory memory) {
        this(
                table,
                memory,
                table.columns().stream().map(_ -> new TextCompression(memory)).toList());
    }

    private TableBuilder(Table table, Memory memory, List<TextCompression> compressions) {
        this.table = table;
        this.memory = memory;
        this.compressions = compressions;
        for (int i = 0; i < compressions.size(); i++) {
            Column column = table.columns().get(i);
            Memory.Scratch scratch = memory.scratch();
            scratches.add(scratch);
            columns.add(
                    NumberColumnBuilder.takes(column.type())
                            ? new NumberColumnBuilder(column, scratch, compressions.get(i))
                            : new DictionaryColumnBuilder(column, scratch, compressions.get(i)));
        }
    }

    /** Adds every row that the cursor still has, whose columns are the table's. */
    public TableBuilder addAll(Cursor cursor) {
        while (cursor.next()) {
            add(cursor);
        }
        return this;
    }

    /** Adds the cursor's row, whose columns are the table's. */
    public void add(Cursor cursor) {
        requireRoom(1);
        for (int i = 0; i < columns.size(); i++) {
            if (cursor.isNull(i)) {
                columns.get(i).addNull();
            } else {
                while (!columns.get(i).add(cursor, i)) {
                    widen(i);
                }
            }
        }
        rows++;
    }

    /**
     * Returns an empty one for other rows of the same table, which may be filled by another thread and is then added to
     * this one.
     */
    public TableBuilder sibling() {
        return new TableBuilder(table, memory, compressions);
    }

    /** Adds all rows of a {@link #sibling}, which is closed by that. */
    public void addAll(TableBuilder sibling) {
        requireRoom(sibling.rows);
        try (sibling) {
            for (int i = 0; i < columns.size(); i++) {
                addAll(i, sibling);
                sibling.scratches.get(i).close();
            }
            rows += sibling.rows;
        }
    }

    private void addAll(int column, TableBuilder sibling) {
        boolean done = false;
        while (!done) {
            int difference = columns.get(column).rank() - sibling.columns.get(column).rank();
            if (difference > 0) {
                sibling.widen(column);
            } else if (difference < 0) {
                widen(column);
            } else {
                done = columns.get(column).addAll(sibling.columns.get(column));
                if (!done) {
                    widen(column);
                }
            }
        }
    }

    /** Adds rows of a table that is complete and has the same columns. */
    public void addAll(StoredTable table, BitSet which) {
        requireRoom(which.cardinality());
        for (int i = 0; i < columns.size(); i++) {
            while (!columns.get(i).addAll(table.columns().get(i), which)) {
                widen(i);
            }
        }
        rows += which.cardinality();
    }

    private void requireRoom(int more) {
        if (rows > MAX_ROWS - more) {
            throw new QueryException(
                    QueryException.Kind.MEMORY_LIMIT,
                    "table %s has more than the %,d rows that a snapshot holds"
                            .formatted(table.name(), MAX_ROWS));
        }
    }

    private void widen(int column) {
        columns.set(column, columns.get(column).wider());
    }

    int rows() {
        return rows;
    }

    /** Returns the table, in the order of its key. This can't be used after that. */
    public StoredTable build() {
        List<Integer> places =
                table.primaryKey().stream()
                        .map(name -> table.columns().indexOf(table.column(name)))
                        .toList();
        List<StoredColumn> key = new ArrayList<>();
        places.forEach(place -> key.add(build(place, null)));
        List<StoredColumn> built = new ArrayList<>();
        try (Memory.Scratch scratch = memory.scratch()) {
            Longs order = order(key, scratch);
            for (int i = 0; i < columns.size(); i++) {
                int place = places.indexOf(i);
                built.add(order == null && place >= 0 ? key.get(place) : build(i, order));
                scratches.get(i).close();
            }
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

    /** Returns which row comes at a place; null where they are in order as they are. */
    private @Nullable Longs order(List<StoredColumn> key, Memory.Scratch scratch) {
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
        IntBinaryOperator all = null;
        for (StoredColumn column : key) {
            IntBinaryOperator next =
                    switch (column) {
                        case CodedColumn coded ->
                                (one, other) -> Long.compare(coded.cell(one), coded.cell(other));
                        case TextColumn text -> text.reader()::compare;
                    };
            IntBinaryOperator before = all;
            all =
                    before == null
                            ? next
                            : (one, other) -> {
                                int compared = before.applyAsInt(one, other);
                                return compared != 0 ? compared : next.applyAsInt(one, other);
                            };
        }
        return requireNonNull(all);
    }

    /** Gives back what was needed meanwhile; tables that were built stay. Closing twice does no harm. */
    @Override
    public void close() {
        scratches.forEach(Memory.Scratch::close);
    }
}
