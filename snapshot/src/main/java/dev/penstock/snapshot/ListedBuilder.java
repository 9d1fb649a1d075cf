package dev.penstock.snapshot;

import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import dev.penstock.query.Cursor;
import dev.penstock.query.Utf8;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** Cells by their number in a list of different values, as long as these are far fewer than the rows. */
final class ListedBuilder implements CellsBuilder {
    /** So many different values are a list, however few rows there are. */
    private static final int FEW = 1 << 16;

    /** Above that, one in so many rows may have a value of its own. */
    private static final int ROWS_A_VALUE = 4;

    private final Column column;
    private final Memory.Scratch scratch;
    private final BitSet nulls = new BitSet();
    private final LongsBuilder codes;
    private final DifferentKeys keys;
    private final KeySource source;

    ListedBuilder(Column column, Memory.Scratch scratch) {
        this.column = column;
        this.scratch = scratch;
        codes = new LongsBuilder(scratch);
        keys = new DifferentKeys(scratch);
        source = new KeySource(column.type());
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
        return different < FEW
                || different <= codes.size() / ROWS_A_VALUE
                || !(column.type().isTextual() || column.type() == ColumnType.BINARY);
    }

    /** Adds a canonical text. */
    void add(Utf8 text) {
        source.read(text);
        codes.add(keys.number(source.array(), source.offset(), source.length()));
    }

    @Override
    public void addNull() {
        nulls.set(codes.size());
        codes.addNothing();
    }

    @Override
    public CellsBuilder wider() {
        TextBuilder wider = new TextBuilder(column, scratch);
        byte[] buffer = new byte[64];
        for (int i = 0; i < codes.size(); i++) {
            if (nulls.get(i)) {
                wider.addNull();
                continue;
            }
            int number = (int) codes.get(i);
            int length = keys.length(number);
            buffer = length <= buffer.length ? buffer : new byte[length * 2];
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
        Codes values = Codes.of(0, size - 1L);
        return new CodedColumn(column, all, values, nullCount, new Meaning.Listed(dictionary));
    }
}
