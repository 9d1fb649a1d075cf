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
final class TextColumnBuilder extends ColumnBuilder {
    private final KeyReader source;
    private ByteStringsBuilder texts;
    private TextCompression.@Nullable Encoder encoder;
    private boolean learned;
    private byte[] input = Buffers.first();
    private byte[] output = Buffers.first();

    TextColumnBuilder(Column column, Memory.Scratch scratch, TextCompression compression) {
        super(column, scratch, compression);
        texts = new ByteStringsBuilder(scratch);
        source = new KeyReader(column.type());
    }

    @Override
    int size() {
        return texts.size();
    }

    @Override
    boolean add(Cursor cursor, int index) {
        add(source.read(cursor, index));
        return true;
    }

    private void add(Utf8 key) {
        add(key.array(), key.offset(), key.length());
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
        encode(encoder, input, length);
    }

    /**
     * Adds the codes of a text.
     *
     * @param text with room for the longest token behind it
     */
    private void encode(TextCompression.Encoder encoder, byte[] text, int length) {
        output = Buffers.withRoom(output, (long) length * Tokens.CODE);
        texts.add(output, 0, encoder.encode(text, length, output));
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
            encode(found, sample.read(i, Tokens.LONGEST), sample.length(i));
        }
        encoder = found;
    }

    @Override
    boolean addAll(ColumnBuilder other) {
        TextColumnBuilder added = (TextColumnBuilder) other;
        if (added.learned && !learned) {
            learn();
        }
        TextCompression.Encoder own = encoder;
        ByteStringsBuilder from = added.texts;
        addEach(
                added,
                i -> {
                    // What is kept as it is stays so, and what is encoded is so by the same tokens.
                    if (own == null || added.encoder != null) {
                        texts.add(from.read(i, 0), 0, from.length(i));
                    } else {
                        encode(own, from.read(i, Tokens.LONGEST), from.length(i));
                    }
                });
        return true;
    }

    @Override
    boolean addAll(StoredColumn cells, BitSet rows) {
        CellReader reader = new CellReader(cells, "");
        addEach(cells, rows, row -> add(reader.key(cells.cell(row))));
        return true;
    }

    @Override
    void addNothing() {
        texts.add(input, 0, 0);
    }

    @Override
    ColumnBuilder wider() {
        throw new IllegalStateException("column " + column.name() + " takes any value");
    }

    @Override
    @Nullable StoredColumn build(Memory memory, @Nullable Longs order) {
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
