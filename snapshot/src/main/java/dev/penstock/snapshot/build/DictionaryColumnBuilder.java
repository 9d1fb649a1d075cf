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
import dev.penstock.snapshot.memory.Buffers;
import dev.penstock.snapshot.memory.DistinctKeys;
import dev.penstock.snapshot.memory.Longs;
import dev.penstock.snapshot.memory.LongsBuilder;
import dev.penstock.snapshot.memory.Memory;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** Cells by their number in a list of different values, as long as these are far fewer than the rows. */
final class DictionaryColumnBuilder implements ColumnBuilder {
    /** So many different values are a list, however few rows there are. */
    private static final int FEW = 1 << 16;

    /** And so many bytes of them. */
    private static final int FEW_BYTES = 1 << 22;

    /** Above that, one in so many rows may have a value of its own. */
    private static final int ROWS_A_VALUE = 4;

    private final Column column;
    private final Memory.Scratch scratch;
    private final TextCompression compression;
    private final BitSet nulls = new BitSet();
    private final LongsBuilder codes;
    private final DistinctKeys keys;
    private final KeyReader source;

    DictionaryColumnBuilder(Column column, Memory.Scratch scratch, TextCompression compression) {
        this.column = column;
        this.scratch = scratch;
        this.compression = compression;
        codes = new LongsBuilder(scratch);
        keys = new DistinctKeys(scratch);
        source = new KeyReader(column.type());
    }

    @Override
    public boolean add(Cursor cursor, int index) {
        if (!hasRoom()) {
            return false;
        }
        source.read(cursor, index);
        codes.add(keys.number(source.array(), source.offset(), source.length()));
        return true;
    }

    /** Only texts, and bytes, can be kept without a list. */
    private boolean hasRoom() {
        int different = keys.size();
        return (different < FEW && keys.total() < FEW_BYTES)
                || different <= codes.size() / ROWS_A_VALUE
                || !(column.type().isTextual() || column.type() == ColumnType.BINARY);
    }

    /** Adds a canonical text. */
    void add(Utf8 text) {
        source.read(text);
        codes.add(keys.number(source.array(), source.offset(), source.length()));
    }

    @Override
    public boolean addAll(ColumnBuilder other) {
        DictionaryColumnBuilder added = (DictionaryColumnBuilder) other;
        if (!hasRoom()) {
            return false;
        }
        Longs numbers = Longs.allocate(scratch, added.keys.size(), 0, Integer.MAX_VALUE);
        byte[] buffer = Buffers.first();
        for (int i = 0; i < added.keys.size(); i++) {
            int length = added.keys.length(i);
            buffer = Buffers.withRoom(buffer, length);
            added.keys.copy(i, buffer);
            numbers.set(i, keys.number(buffer, 0, length));
        }
        for (int i = 0; i < added.codes.size(); i++) {
            if (added.nulls.get(i)) {
                addNull();
            } else {
                codes.add(numbers.get(added.codes.get(i)));
            }
        }
        return true;
    }

    @Override
    public boolean addAll(StoredColumn cells, BitSet rows) {
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
        for (int row = rows.nextSetBit(0); row >= 0; row = rows.nextSetBit(row + 1)) {
            if (coded.isNull(row)) {
                addNull();
            } else if (listed > 0) {
                long code = coded.cell(row);
                if (numbers.get(code) < 0) {
                    Utf8 key = reader.key(code);
                    numbers.set(code, keys.number(key.array(), key.offset(), key.length()));
                }
                codes.add(numbers.get(code));
            } else {
                add(requireNonNull(reader.text(coded.cell(row))));
            }
        }
        return true;
    }

    @Override
    public void addNull() {
        nulls.set(codes.size());
        codes.addNothing();
    }

    @Override
    public ColumnBuilder wider() {
        TextColumnBuilder wider = new TextColumnBuilder(column, scratch, compression);
        byte[] buffer = Buffers.first();
        for (int i = 0; i < codes.size(); i++) {
            if (nulls.get(i)) {
                wider.addNull();
                continue;
            }
            int number = (int) codes.get(i);
            int length = keys.length(number);
            buffer = Buffers.withRoom(buffer, length);
            keys.copy(number, buffer);
            wider.add(buffer, 0, length);
        }
        return wider;
    }

    @Override
    public @Nullable StoredColumn build(Memory memory, @Nullable Longs order) {
        int size = keys.size();
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
        Dictionary dictionary = new Dictionary(keys.build(memory, sorted));
        CodeRange values = CodeRange.of(0, size - 1L);
        return new CodedColumn(column, all, values, nullCount, new CodeEncoding.Listed(dictionary));
    }
}
