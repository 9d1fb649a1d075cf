package dev.penstock.snapshot.load;

import static java.util.Objects.requireNonNull;

import dev.penstock.query.ColumnType;
import dev.penstock.query.Utf8;
import dev.penstock.snapshot.column.CellReader;
import dev.penstock.snapshot.column.CodeEncoding;
import dev.penstock.snapshot.column.CodedColumn;
import dev.penstock.snapshot.column.KeyBytes;
import dev.penstock.snapshot.column.KeyCodec;
import dev.penstock.snapshot.column.StoredColumn;
import dev.penstock.snapshot.column.StoredTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A comparison of the keys of two tables' rows, whose columns may be kept in different ways. Used by one thread. */
final class KeyComparator {
    /** One column of the key, in both tables. */
    private record Part(
            ColumnType type, StoredColumn a, CellReader ofA, StoredColumn b, CellReader ofB) {
        /** Returns whether the codes of both are the numbers themselves. */
        boolean isWhole() {
            return (type == ColumnType.INT || type == ColumnType.LONG)
                    && a instanceof CodedColumn x
                    && x.encoding() instanceof CodeEncoding.Whole
                    && b instanceof CodedColumn y
                    && y.encoding() instanceof CodeEncoding.Whole;
        }
    }

    private final List<Part> parts = new ArrayList<>();
    private final KeyCodec keys = new KeyCodec();
    private final KeyBytes one = new KeyBytes();
    private final KeyBytes other = new KeyBytes();

    KeyComparator(StoredTable a, StoredTable b) {
        for (String name : a.table().primaryKey()) {
            StoredColumn x = a.column(name);
            StoredColumn y = b.column(name);
            String table = a.table().name();
            parts.add(
                    new Part(
                            x.column().type(),
                            x,
                            new CellReader(x, table),
                            y,
                            new CellReader(y, table)));
        }
    }

    /** Compares a row of the one table with a row of the other. */
    int compare(int a, int b) {
        for (Part part : parts) {
            int compared = compare(part, part.a.cell(a), part.b.cell(b));
            if (compared != 0) {
                return compared;
            }
        }
        return 0;
    }

    private int compare(Part part, long a, long b) {
        if (part.isWhole()) {
            return Long.compare(a, b);
        }
        encode(part.type, requireNonNull(part.ofA.text(a)), one);
        encode(part.type, requireNonNull(part.ofB.text(b)), other);
        // Decimals that are equal are the same key, however many digits they have.
        int spelling = part.type == ColumnType.DECIMAL ? Integer.BYTES : 0;
        return Arrays.compareUnsigned(
                one.array(),
                0,
                one.length() - spelling,
                other.array(),
                0,
                other.length() - spelling);
    }

    private void encode(ColumnType type, Utf8 text, KeyBytes key) {
        keys.encode(type, text.array(), text.offset(), text.length(), key);
    }
}
