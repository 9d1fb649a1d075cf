package dev.penstock.snapshot.build;

import dev.penstock.query.Utf8;
import dev.penstock.snapshot.column.CellReader;
import dev.penstock.snapshot.column.RowChanges;
import dev.penstock.snapshot.column.StoredColumn;
import dev.penstock.snapshot.column.TextColumn;
import dev.penstock.snapshot.column.TextCompression;
import dev.penstock.snapshot.column.TokenMatcher;
import dev.penstock.snapshot.column.Tokens;
import dev.penstock.snapshot.memory.ByteStrings;
import dev.penstock.snapshot.memory.Longs;
import dev.penstock.snapshot.memory.Memory;
import dev.penstock.snapshot.work.Pace;
import java.util.Arrays;

/** The next version of a column of texts, see {@link TablePatch}: compressed by the same tokens. */
final class TextPatch {
    private final TextColumn before;
    private final StoredColumn changed;
    private final RowChanges changes;

    TextPatch(TextColumn before, StoredColumn changed, RowChanges changes) {
        this.before = before;
        this.changed = changed;
        this.changes = changes;
    }

    StoredColumn column(Memory memory) {
        int[] nulls = {before.nulls() + changed.nulls()};
        changes.eachDropped(row -> nulls[0] -= before.isNull(row) ? 1 : 0);
        int rows = changes.rows();
        boolean all = nulls[0] > 0 && nulls[0] == rows;
        Longs isNull = Longs.allocateUnset(memory, rows, all ? 1 : 0, nulls[0] > 0 ? 1 : 0);
        if (isNull.width() > 0) {
            TablePatch.copy(before.isNull(), isNull, changes, null);
            for (int i = 0; i < changed.rows(); i++) {
                isNull.set(changes.place(i), changed.isNull(i) ? 1 : 0);
            }
        }
        ByteStrings strings = before.strings().patched(changes(), memory);
        return new TextColumn(before.column(), strings, before.tokens(), isNull, nulls[0]);
    }

    /** Returns the strings in their order: runs of those that are kept, and changed ones. */
    private ByteStrings.Parts changes() {
        byte[][] texts = texts();
        return receiver ->
                changes.each(
                        new RowChanges.Receiver() {
                            @Override
                            public void kept(int old, int now, int count) {
                                Pace.step();
                                receiver.run(old, count);
                            }

                            @Override
                            public void changed(int index, int now) {
                                receiver.one(texts[index]);
                            }
                        });
    }

    private byte[][] texts() {
        Tokens tokens = before.tokens();
        TextCompression.Encoder encoder =
                tokens == null
                        ? null
                        : new TextCompression.Encoder(tokens, TokenMatcher.of(tokens));
        CellReader reader = new CellReader(changed, "");
        byte[][] texts = new byte[changed.rows()][];
        for (int i = 0; i < texts.length; i++) {
            if (changed.isNull(i)) {
                texts[i] = new byte[0];
                continue;
            }
            Utf8 key = reader.key(changed.cell(i));
            int room = encoder == null ? 0 : Tokens.LONGEST;
            byte[] text = new byte[key.length() + room];
            System.arraycopy(key.array(), key.offset(), text, 0, key.length());
            texts[i] = encoder == null ? text : encoded(encoder, text, key.length());
        }
        return texts;
    }

    private static byte[] encoded(TextCompression.Encoder encoder, byte[] text, int length) {
        byte[] codes = new byte[length * Tokens.CODE];
        return Arrays.copyOf(codes, encoder.encode(text, length, codes));
    }
}
