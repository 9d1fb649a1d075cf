package dev.penstock.snapshot;

import static java.util.Objects.requireNonNull;

import dev.penstock.query.Column;
import dev.penstock.query.Utf8;

/**
 * A column of about as many texts, or strings of bytes, as it has rows. They have no codes: each is had by its row, through a {@link Reader}.
 *
 * @param column what it is in the database's schema
 * @param texts one a row, as {@link Keys} has it; an empty one for NULL
 * @param isNull which rows are NULL: 1, else 0
 * @param nulls how many NULLs there are
 */
record TextColumn(Column column, ByteStrings texts, Longs isNull, int nulls)
        implements StoredColumn {
    TextColumn {
        requireNonNull(column);
        requireNonNull(texts);
        requireNonNull(isNull);
    }

    @Override
    public int rows() {
        return texts.size();
    }

    @Override
    public boolean isNull(int row) {
        return isNull.get(row) != 0;
    }

    @Override
    public long cell(int row) {
        return row;
    }

    @Override
    public long bytes() {
        return texts.memory() + isNull.bytes();
    }

    /** A reader for one thread. */
    Reader reader() {
        return new Reader();
    }

    /** Reads cells into a buffer that is used again. */
    final class Reader {
        private final Utf8 view = new Utf8();
        private byte[] buffer = new byte[64];

        private Reader() {}

        /** The bytes of a cell that is not NULL; valid until the next call. */
        Utf8 key(int row) {
            int length = texts.length(row);
            if (length > buffer.length) {
                buffer = new byte[length + length / 2];
            }
            texts.copy(row, buffer, 0);
            return view.set(buffer, 0, length);
        }

        /** Compares a cell that is not NULL with these bytes, unsigned. */
        int compare(int row, byte[] key, int length) {
            return texts.compare(row, key, length);
        }
    }
}
