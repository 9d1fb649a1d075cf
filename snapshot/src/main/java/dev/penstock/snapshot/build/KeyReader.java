package dev.penstock.snapshot.build;

import static java.util.Objects.requireNonNull;

import dev.penstock.query.ColumnType;
import dev.penstock.query.Cursor;
import dev.penstock.query.Utf8;
import dev.penstock.snapshot.column.KeyBytes;
import dev.penstock.snapshot.column.KeyCodec;

/**
 * Reads cells of a cursor as keys. What was read last is valid until the next one, and until the cursor goes on. Not
 * thread-safe.
 */
final class KeyReader {
    private final ColumnType type;
    private final KeyCodec keys = new KeyCodec();
    private final KeyBytes key = new KeyBytes();
    private byte[] array = {};
    private int offset;
    private int length;

    KeyReader(ColumnType type) {
        this.type = type;
    }

    /** Reads a cell that is not NULL. */
    void read(Cursor cursor, int index) {
        if (type == ColumnType.BINARY) {
            array = requireNonNull(cursor.getBytes(index));
            offset = 0;
            length = array.length;
            return;
        }
        read(requireNonNull(cursor.text(index)));
    }

    /** Reads a canonical text. */
    void read(Utf8 text) {
        if (type.isTextual()) {
            array = text.array();
            offset = text.offset();
            length = text.length();
            return;
        }
        keys.encode(type, text.array(), text.offset(), text.length(), key);
        array = key.array();
        offset = 0;
        length = key.length();
    }

    byte[] array() {
        return array;
    }

    int offset() {
        return offset;
    }

    int length() {
        return length;
    }
}
