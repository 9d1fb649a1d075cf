package dev.penstock.snapshot.build;

import static java.util.Objects.requireNonNull;

import dev.penstock.query.Utf8;
import dev.penstock.snapshot.column.CellReader;
import dev.penstock.snapshot.column.CodeEncoding;
import dev.penstock.snapshot.column.CodeRange;
import dev.penstock.snapshot.column.CodedColumn;
import dev.penstock.snapshot.column.Dictionary;
import dev.penstock.snapshot.column.RowChanges;
import dev.penstock.snapshot.column.StoredColumn;
import dev.penstock.snapshot.memory.ByteStringsBuilder;
import dev.penstock.snapshot.memory.Longs;
import dev.penstock.snapshot.memory.Memory;
import java.util.Arrays;
import java.util.BitSet;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The next version of a column whose values are listed, see {@link TablePatch}. */
final class DictionaryPatch {
    private final CodedColumn before;
    private final StoredColumn changed;
    private final RowChanges changes;
    private final Dictionary listed;

    /** The codes of before that are still in use. */
    private final BitSet used = new BitSet();

    /** The changed rows' values; null for NULL. */
    private final byte[] @Nullable [] keys;

    /** Changed values that were not listed, and their codes when these are known. */
    private final TreeMap<byte[], Integer> added = new TreeMap<>(Arrays::compareUnsigned);

    private int nulls;

    DictionaryPatch(CodedColumn before, StoredColumn changed, RowChanges changes) {
        this.before = before;
        this.changed = changed;
        this.changes = changes;
        listed = ((CodeEncoding.Listed) before.encoding()).values();
        keys = new byte[changed.rows()][];
    }

    static boolean takes(CodedColumn before) {
        return before.encoding() instanceof CodeEncoding.Listed;
    }

    @Nullable StoredColumn column(Memory memory) {
        TablePatch.each(
                before.codes(),
                changes,
                code -> {
                    if (code < 0) {
                        nulls++;
                    } else {
                        used.set((int) code);
                    }
                });
        readChanged();
        boolean isSame = added.isEmpty() && used.cardinality() == listed.size();
        int[] now = isSame ? new int[0] : new int[listed.size()];
        Dictionary dictionary = isSame ? listed : merged(now, memory);
        if (!DictionaryColumnBuilder.hasRoom(
                before.column(),
                dictionary.size(),
                dictionary.keys().bytes().byteSize(),
                changes.rows())) {
            return null;
        }
        int lowest = nulls > 0 ? -1 : 0;
        int greatest = dictionary.size() == 0 ? lowest : dictionary.size() - 1;
        Longs codes = Longs.allocateUnset(memory, changes.rows(), lowest, greatest);
        TablePatch.copy(
                before.codes(),
                codes,
                changes,
                isSame ? null : code -> code < 0 ? lowest : now[(int) code]);
        for (int i = 0; i < keys.length; i++) {
            byte[] key = keys[i];
            codes.set(changes.place(i), key == null ? lowest : code(key, now, isSame));
        }
        return new CodedColumn(
                before.column(),
                codes,
                CodeRange.of(0, dictionary.size() - 1L),
                nulls,
                new CodeEncoding.Listed(dictionary));
    }

    private void readChanged() {
        CellReader reader = new CellReader(changed, "");
        KeyReader source = new KeyReader(before.column().type());
        for (int i = 0; i < keys.length; i++) {
            Utf8 text = reader.text(changed.cell(i));
            if (text == null) {
                nulls++;
                continue;
            }
            Utf8 key = source.read(text);
            byte[] bytes =
                    Arrays.copyOfRange(key.array(), key.offset(), key.offset() + key.length());
            keys[i] = bytes;
            int code = listed.code(bytes);
            if (code >= 0) {
                used.set(code);
            } else {
                added.put(bytes, code);
            }
        }
    }

    /** Lists what is still used and what is new; tells the codes that those of before have now. */
    private Dictionary merged(int[] now, Memory memory) {
        try (Memory.Scratch scratch = memory.scratch()) {
            ByteStringsBuilder all = new ByteStringsBuilder(scratch);
            TreeMap<byte[], Integer> left = new TreeMap<>(added);
            for (int code = used.nextSetBit(0); code >= 0; code = used.nextSetBit(code + 1)) {
                byte[] key = listed.keys().get(code);
                while (!left.isEmpty() && Arrays.compareUnsigned(left.firstKey(), key) < 0) {
                    add(requireNonNull(left.pollFirstEntry()).getKey(), all);
                }
                now[code] = all.size();
                all.add(key, 0, key.length);
            }
            left.keySet().forEach(key -> add(key, all));
            return new Dictionary(all.build(memory, null));
        }
    }

    private void add(byte[] key, ByteStringsBuilder all) {
        added.put(key, all.size());
        all.add(key, 0, key.length);
    }

    private int code(byte[] key, int[] now, boolean isSame) {
        Integer code = added.get(key);
        if (code != null) {
            return code;
        }
        int known = listed.code(key);
        return isSame ? known : now[known];
    }
}
