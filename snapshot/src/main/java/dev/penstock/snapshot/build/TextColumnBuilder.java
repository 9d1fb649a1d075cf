package dev.penstock.snapshot.build;

import dev.penstock.query.Column;
import dev.penstock.query.Cursor;
import dev.penstock.query.Utf8;
import dev.penstock.snapshot.column.CellReader;
import dev.penstock.snapshot.column.StoredColumn;
import dev.penstock.snapshot.column.TextColumn;
import dev.penstock.snapshot.column.TextCompression;
import dev.penstock.snapshot.column.Tokens;
import dev.penstock.snapshot.memory.Buffers;
import dev.penstock.snapshot.memory.ByteStringsBuilder;
import dev.penstock.snapshot.memory.Longs;
import dev.penstock.snapshot.memory.Memory;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Cells that become a {@link TextColumn}. They are kept as they are until there are enough to learn from how they are
 * compressed.
 */
final class TextColumnBuilder implements ColumnBuilder {
    private final Column column;
    private final Memory.Scratch scratch;
    private final TextCompression compression;
    private final BitSet nulls = new BitSet();
    private final KeyReader source;
    private ByteStringsBuilder texts;
    private TextCompression.@Nullable Encoder encoder;
    private boolean learned;
    private byte[] input = Buffers.first();
    private byte[] output = Buffers.first();

    TextColumnBuilder(Column column, Memory.Scratch scratch, TextCompression compression) {
        this.column = column;
        this.scratch = scratch;
        this.compression = compression;
        texts = new ByteStringsBuilder(scratch);
        source = new KeyReader(column.type());
    }

    @Override
    public boolean add(Cursor cursor, int index) {
        source.read(cursor, index);
        add(source.array(), source.offset(), source.length());
        return true;
    }

    void add(byte[] key, int offset, int length) {
        if (encoder == null) {
            texts.add(key, offset, length);
            if (!learned && texts.total() >= TextCompression.SAMPLE) {
                learn();
            }
            return;
        }
        input = Buffers.withRoom(input, (long) length + Tokens.LONGEST);
        System.arraycopy(key, offset, input, 0, length);
        encode(encoder, length);
    }

    /** Adds the codes of what is in {@link #input}. */
    private void encode(TextCompression.Encoder encoder, int length) {
        output = Buffers.withRoom(output, (long) length * Tokens.CODE);
        texts.add(output, 0, encoder.encode(input, length, output));
    }

    private void learn() {
        learned = true;
        TextCompression.Encoder found = compression.learned(texts);
        if (found == null) {
            return;
        }
        ByteStringsBuilder sample = texts;
        texts = new ByteStringsBuilder(scratch);
        for (int i = 0; i < sample.size(); i++) {
            int length = sample.length(i);
            input = Buffers.withRoom(input, (long) length + Tokens.LONGEST);
            sample.copy(i, input);
            encode(found, length);
        }
        encoder = found;
    }

    @Override
    public boolean addAll(ColumnBuilder other) {
        TextColumnBuilder added = (TextColumnBuilder) other;
        if (added.learned && !learned) {
            learn();
        }
        for (int i = 0; i < added.texts.size(); i++) {
            if (added.nulls.get(i)) {
                addNull();
                continue;
            }
            int length = added.texts.length(i);
            TextCompression.Encoder own = encoder;
            // What is kept as it is stays so, and what is encoded is so by the same tokens.
            if (own == null || added.encoder != null) {
                output = Buffers.withRoom(output, length);
                added.texts.copy(i, output);
                texts.add(output, 0, length);
            } else {
                input = Buffers.withRoom(input, (long) length + Tokens.LONGEST);
                added.texts.copy(i, input);
                encode(own, length);
            }
        }
        return true;
    }

    @Override
    public boolean addAll(StoredColumn cells, BitSet rows) {
        CellReader reader = new CellReader(cells, "");
        for (int row = rows.nextSetBit(0); row >= 0; row = rows.nextSetBit(row + 1)) {
            if (cells.isNull(row)) {
                addNull();
            } else {
                Utf8 key = reader.key(cells.cell(row));
                add(key.array(), key.offset(), key.length());
            }
        }
        return true;
    }

    @Override
    public void addNull() {
        nulls.set(texts.size());
        texts.add(input, 0, 0);
    }

    @Override
    public ColumnBuilder wider() {
        throw new IllegalStateException("column " + column.name() + " takes any value");
    }

    @Override
    public @Nullable StoredColumn build(Memory memory, @Nullable Longs order) {
        int count = nulls.cardinality();
        int rows = texts.size();
        boolean all = count > 0 && count == rows;
        Longs isNull = Longs.allocate(memory, rows, all ? 1 : 0, count > 0 ? 1 : 0);
        for (int i = 0; isNull.width() > 0 && i < rows; i++) {
            isNull.set(i, nulls.get(order == null ? i : (int) order.get(i)) ? 1 : 0);
        }
        Tokens tokens = encoder == null ? null : encoder.tokens();
        return new TextColumn(column, texts.build(memory, order), tokens, isNull, count);
    }
}
