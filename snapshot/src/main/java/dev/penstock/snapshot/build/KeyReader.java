package dev.penstock.snapshot.build;

import static java.util.Objects.requireNonNull;

import dev.penstock.query.ColumnType;
import dev.penstock.query.Cursor;
import dev.penstock.query.Utf8;
import dev.penstock.snapshot.column.KeyBytes;
import dev.penstock.snapshot.column.KeyCodec;

/**
 * A reader of a cursor's cells as keys. What was read last is valid until the next one, and until the cursor goes on.
 * Not thread-safe.
 */
final class KeyReader {
    private final ColumnType type;
    private final KeyCodec keys = new KeyCodec();
    private final KeyBytes key = new KeyBytes();
    private final Utf8 view = new Utf8();

    KeyReader(ColumnType type) {
        this.type = type;
    }

    /** Reads a cell that is not NULL. */
    Utf8 read(Cursor cursor, int index) {
        if (type == ColumnType.BINARY) {
            byte[] bytes = requireNonNull(cursor.getBytes(index));
            return view.set(bytes, 0, bytes.length);
        }
        return read(requireNonNull(cursor.text(index)));
    }

    /** Reads a canonical text. */
    Utf8 read(Utf8 text) {
        if (type.isTextual()) {
            return text;
        }
        keys.encode(type, text.array(), text.offset(), text.length(), key);
        return view.set(key.array(), 0, key.length());
    }
}
