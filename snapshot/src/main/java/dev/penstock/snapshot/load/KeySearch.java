package dev.penstock.snapshot.load;

import static java.util.Objects.requireNonNull;

import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import dev.penstock.query.Utf8;
import dev.penstock.query.Values;
import dev.penstock.snapshot.column.CellReader;
import dev.penstock.snapshot.column.CodeEncoding;
import dev.penstock.snapshot.column.CodedColumn;
import dev.penstock.snapshot.column.KeyBytes;
import dev.penstock.snapshot.column.KeyCodec;
import dev.penstock.snapshot.column.StoredColumn;
import dev.penstock.snapshot.column.StoredTable;
import dev.penstock.snapshot.memory.BinarySearch;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;

/** A search for rows by their keys, in a table whose rows are in the order of the key. Used by one thread. */
final class KeySearch {
    /** One column of the key. */
    private record Part(Column column, StoredColumn cells, CellReader reader) {
        /** Returns whether the codes are the numbers themselves. */
        boolean isWhole() {
            return (column.type() == ColumnType.INT || column.type() == ColumnType.LONG)
                    && cells instanceof CodedColumn coded
                    && coded.encoding() instanceof CodeEncoding.Whole;
        }
    }

    private final List<Part> parts = new ArrayList<>();
    private final KeyCodec codec = new KeyCodec();
    private final KeyBytes cellKey = new KeyBytes();
    private final KeyBytes wantedKey = new KeyBytes();

    private KeySearch(StoredTable table) {
        for (String name : table.table().primaryKey()) {
            StoredColumn cells = table.column(name);
            parts.add(new Part(cells.column(), cells, new CellReader(cells, table.table().name())));
        }
    }

    /**
     * Returns the rows that have one of these keys.
     *
     * @param keys each with its values in the order of the primary key, as {@link Values#fit} gives them
     */
    static BitSet rows(StoredTable table, Collection<List<Object>> keys) {
        KeySearch search = new KeySearch(table);
        BitSet rows = new BitSet(table.rows());
        for (List<Object> key : keys) {
            int row =
                    (int)
                            BinarySearch.first(
                                    0, table.rows(), at -> search.compare((int) at, key) >= 0);
            if (row < table.rows() && search.compare(row, key) == 0) {
                rows.set(row);
            }
        }
        return rows;
    }

    /** Compares the key of a row with another one. */
    private int compare(int row, List<Object> key) {
        for (int i = 0; i < parts.size(); i++) {
            Part part = parts.get(i);
            int compared = compare(part, part.cells.cell(row), key.get(i));
            if (compared != 0) {
                return compared;
            }
        }
        return 0;
    }

    private int compare(Part part, long cell, Object value) {
        if (part.isWhole()) {
            return Long.compare(cell, (Long) value);
        }
        ColumnType type = part.column.type();
        Utf8 text = requireNonNull(part.reader.text(cell));
        codec.encode(type, text.array(), text.offset(), text.length(), cellKey);
        codec.encode(
                type, value instanceof Long whole ? BigDecimal.valueOf(whole) : value, wantedKey);
        // What tells equal numbers of different digits apart comes last, and the wanted key is
        // without it.
        int spelling = KeyCodec.isPrefix(type) ? Integer.BYTES : 0;
        return Arrays.compareUnsigned(
                cellKey.array(),
                0,
                cellKey.length() - spelling,
                wantedKey.array(),
                0,
                wantedKey.length());
    }
}
