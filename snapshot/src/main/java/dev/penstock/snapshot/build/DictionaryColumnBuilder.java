package dev.penstock.snapshot.build;

import static java.util.Objects.requireNonNull;

import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import dev.penstock.query.Cursor;
import dev.penstock.query.Utf8;
import dev.penstock.snapshot.column.CellReader;
import dev.penstock.snapshot.column.CodeEncoding;
import dev.penstock.snapshot.column.CodeRange;
import dev.penstock.snapshot.column.CodedColumn;
import dev.penstock.snapshot.column.Dictionary;
import dev.penstock.snapshot.column.StoredColumn;
import dev.penstock.snapshot.column.TextCompression;
import dev.penstock.snapshot.memory.ByteStringsBuilder;
import dev.penstock.snapshot.memory.DistinctKeys;
import dev.penstock.snapshot.memory.Longs;
import dev.penstock.snapshot.memory.LongsBuilder;
import dev.penstock.snapshot.memory.Memory;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** Cells by their number in a list of different values, as long as these are far fewer than the rows. */
final class DictionaryColumnBuilder extends ColumnBuilder {
    /** So many different values are a list, however few rows there are. */
    private static final int FEW = 1 << 16;

    /** And so many bytes of them. */
    private static final int FEW_BYTES = 1 << 22;

    /** Above that, one in so many rows may have a value of its own. */
    private static final int ROWS_A_VALUE = 4;

    private final LongsBuilder codes;
    private final DistinctKeys keys;
    private final KeyReader source;

    DictionaryColumnBuilder(Column column, Memory.Scratch scratch, TextCompression compression) {
        super(column, scratch, compression);
        codes = new LongsBuilder(scratch);
        keys = new DistinctKeys(scratch);
        source = new KeyReader(column.type());
    }

    @Override
    int size() {
        return codes.size();
    }

    @Override
    boolean add(Cursor cursor, int index) {
        if (!hasRoom()) {
            return false;
        }
        codes.add(number(source.read(cursor, index)));
        return true;
    }

    private int number(Utf8 key) {
        return keys.number(key.array(), key.offset(), key.length());
    }

    private boolean hasRoom() {
        return hasRoom(column, keys.keys().size(), keys.keys().total(), codes.size());
    }

    /**
     * Returns whether a list of so many different values, of so many bytes, is worth it for so many rows. Only texts,
     * and bytes, can be kept without a list.
     */
    static boolean hasRoom(Column column, int different, long bytes, int rows) {
        return (different < FEW && bytes < FEW_BYTES)
                || different <= rows / ROWS_A_VALUE
                || !(column.type().isTextual() || column.type() == ColumnType.BINARY);
    }

    /** Adds a canonical text. */
    void add(Utf8 text) {
        codes.add(number(source.read(text)));
    }

    @Override
    boolean addAll(ColumnBuilder other) {
        DictionaryColumnBuilder added = (DictionaryColumnBuilder) other;
        if (!hasRoom()) {
            return false;
        }
        ByteStringsBuilder addedKeys = added.keys.keys();
        Longs numbers = Longs.allocate(scratch, addedKeys.size(), 0, Integer.MAX_VALUE);
        for (int i = 0; i < addedKeys.size(); i++) {
            numbers.set(i, keys.number(addedKeys.read(i, 0), 0, addedKeys.length(i)));
        }
        addEach(added, i -> codes.add(numbers.get(added.codes.get(i))));
        return true;
    }

    @Override
    boolean addAll(StoredColumn cells, BitSet rows) {
        if (!(cells instanceof CodedColumn coded) || !hasRoom()) {
            return false;
        }
        int listed =
                coded.encoding() instanceof CodeEncoding.Listed(Dictionary values)
                        ? values.size()
                        : 0;
        // By code; below 0 what has not been looked for.
        Longs numbers = Longs.allocate(scratch, listed, -1, Integer.MAX_VALUE);
        CellReader reader = new CellReader(coded, "");
        addEach(
                coded,
                rows,
                row -> {
                    long code = coded.cell(row);
                    if (listed == 0) {
                        add(requireNonNull(reader.text(code)));
                        return;
                    }
                    if (numbers.get(code) < 0) {
                        numbers.set(code, number(reader.key(code)));
                    }
                    codes.add(numbers.get(code));
                });
        return true;
    }

    @Override
    void addNothing() {
        codes.addNothing();
    }

    @Override
    ColumnBuilder wider() {
        TextColumnBuilder wider = new TextColumnBuilder(column, scratch, compression);
        ByteStringsBuilder texts = keys.keys();
        wider.addEach(
                this,
                i -> {
                    int number = (int) codes.get(i);
                    wider.add(texts.read(number, 0), 0, texts.length(number));
                });
        return wider;
    }

    @Override
    @Nullable StoredColumn build(Memory memory, @Nullable Longs order) {
        int size = keys.keys().size();
        Longs sorted = keys.sorted();
        Longs ranks = Longs.allocate(scratch, size, 0, Math.max(size - 1, 0));
        for (int rank = 0; rank < size; rank++) {
            ranks.set(sorted.get(rank), rank);
        }
        int nullCount = nulls.cardinality();
        long lowest = nullCount > 0 ? -1 : 0;
        LongsBuilder.Values coded =
                (row, number) -> nullCount > 0 && nulls.get(row) ? lowest : ranks.get(number);
        long highest = size == 0 ? lowest : size - 1;
        Longs all = codes.build(memory, order, coded, lowest, highest);
        Dictionary dictionary = new Dictionary(keys.keys().build(memory, sorted));
        CodeRange values = CodeRange.of(0, size - 1L);
        return new CodedColumn(column, all, values, nullCount, new CodeEncoding.Listed(dictionary));
    }
}
