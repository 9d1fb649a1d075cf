package dev.penstock.snapshot;

import dev.penstock.query.Column;
import dev.penstock.query.Cursor;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** Cells that become a {@link TextColumn}. */
final class TextBuilder implements CellsBuilder {
    private final Column column;
    private final BitSet nulls = new BitSet();
    private final ByteStringsBuilder texts;
    private final KeySource source;

    TextBuilder(Column column, Memory.Scratch scratch) {
        this.column = column;
        texts = new ByteStringsBuilder(scratch);
        source = new KeySource(column.type());
    }

    @Override
    public boolean add(Cursor cursor, int index) {
        source.read(cursor, index);
        add(source.array(), source.offset(), source.length());
        return true;
    }

    void add(byte[] key, int offset, int length) {
        texts.add(key, offset, length);
    }

    @Override
    public void addNull() {
        nulls.set(texts.size());
        texts.add(new byte[0], 0, 0);
    }

    @Override
    public CellsBuilder wider() {
        throw new IllegalStateException("column " + column.name() + " takes any value");
    }

    @Override
    public @Nullable StoredColumn build(Memory memory, @Nullable Longs order) {
        int count = nulls.cardinality();
        int rows = texts.size();
        boolean all = count == rows;
        Longs isNull = Longs.allocate(memory, rows, all ? 1 : 0, count > 0 ? 1 : 0);
        for (int i = 0; isNull.width() > 0 && i < rows; i++) {
            isNull.set(i, nulls.get(order == null ? i : (int) order.get(i)) ? 1 : 0);
        }
        return new TextColumn(column, texts.build(memory, order), isNull, count);
    }
}
