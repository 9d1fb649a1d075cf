package dev.penstock.snapshot.column;

import dev.penstock.query.Column;
import dev.penstock.query.Utf8;
import dev.penstock.snapshot.memory.Buffers;
import dev.penstock.snapshot.memory.ByteStrings;
import dev.penstock.snapshot.memory.Longs;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A column of about as many texts, or strings of bytes, as it has rows. They have no codes: each is had by its row,
 * through a {@link Reader}.
 *
 * @param column what it is in the database's schema
 * @param strings one a row, as {@link KeyCodec} has it, or the codes of its tokens; an empty one for NULL
 * @param tokens what they are made of; null where they are kept as they are
 * @param isNull which rows are NULL: 1, else 0
 * @param nulls how many NULLs there are
 */
public record TextColumn(
        Column column, ByteStrings strings, @Nullable Tokens tokens, Longs isNull, int nulls)
        implements StoredColumn {
    @Override
    public int rows() {
        return strings.size();
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
        return strings.memory() + isNull.bytes() + (tokens == null ? 0 : tokens.memory());
    }

    /** Returns a reader for one thread. */
    public Reader reader() {
        return new Reader();
    }

    /** Returns whether two cells that are not NULL are the same. A text has only one way to be made of tokens. */
    public boolean isSame(int one, int other) {
        return strings.compare(one, other) == 0;
    }

    /** A reader of cells into buffers that are used again. */
    public final class Reader {
        /** Texts of no more bytes than this are given room without a look at their tokens. */
        private static final int SHORT_BYTES = 4096;

        private final Utf8 view = new Utf8();
        private byte[] buffer = Buffers.first();
        private byte[] second = Buffers.NONE;

        private Reader() {}

        boolean isNull(int row) {
            return TextColumn.this.isNull(row);
        }

        /** Returns the bytes of a cell that is not NULL; valid until the next call. */
        public Utf8 key(int row) {
            long start = strings.start(row);
            long end = strings.start(row + 1);
            buffer = withRoom(start, end, buffer);
            return view.set(buffer, 0, read(start, end, buffer));
        }

        private byte[] withRoom(long start, long end, byte[] buffer) {
            int length = (int) (end - start);
            long wanted = length;
            if (tokens != null) {
                // The bound is up to sixteen times as much as the text, which matters of wide ones.
                wanted =
                        length <= SHORT_BYTES
                                ? Tokens.mostBytes(length)
                                : tokens.length(strings.bytes(), start, end) + Tokens.LONGEST;
            }
            return Buffers.withRoom(buffer, wanted);
        }

        private int read(long start, long end, byte[] to) {
            return tokens == null
                    ? strings.copy(start, end, to, 0)
                    : tokens.decode(strings.bytes(), start, end, to);
        }

        /** Compares a cell that is not NULL with these bytes, unsigned. */
        public int compare(int row, byte[] key, int length) {
            if (tokens == null) {
                return strings.compare(row, key, length);
            }
            // A byte more than the key has tells that it is shorter.
            int enough = length + 1;
            buffer = Buffers.withRoom(buffer, (long) enough + 2 * Tokens.LONGEST);
            int own =
                    tokens.decode(
                            strings.bytes(),
                            strings.start(row),
                            strings.start(row + 1),
                            buffer,
                            enough);
            return Arrays.compareUnsigned(buffer, 0, own, key, 0, length);
        }

        /** Compares two cells that are not NULL, unsigned. */
        public int compare(int one, int other) {
            if (tokens == null) {
                return strings.compare(one, other);
            }
            long start = strings.start(one);
            long end = strings.start(one + 1);
            buffer = withRoom(start, end, buffer);
            int a = read(start, end, buffer);
            start = strings.start(other);
            end = strings.start(other + 1);
            second = withRoom(start, end, second);
            int b = read(start, end, second);
            return Arrays.compareUnsigned(buffer, 0, a, second, 0, b);
        }
    }
}
