package dev.penstock.follow.binlog;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The form of a column's cells in a row event: how long they are.
 *
 * @param type the code of the column's type in the log
 * @param meta what the log says of the column beside its type
 * @param bytes the length of each cell; or, where {@code prefixed}, of the number before each cell that is its length
 * @param prefixed whether cells are of any length
 */
record CellFormat(int type, int meta, int bytes, boolean prefixed) {
    static final int TINY = 1;
    static final int SHORT = 2;
    static final int LONG = 3;
    static final int FLOAT = 4;
    static final int DOUBLE = 5;
    static final int LONGLONG = 8;
    static final int INT24 = 9;
    static final int DATE = 10;
    static final int YEAR = 13;
    static final int NEWDATE = 14;
    static final int VARCHAR = 15;
    static final int BIT = 16;
    static final int TIMESTAMP2 = 17;
    static final int DATETIME2 = 18;
    static final int TIME2 = 19;
    static final int BLOB_COMPRESSED = 140;
    static final int VARCHAR_COMPRESSED = 141;
    static final int JSON = 245;
    static final int NEWDECIMAL = 246;
    static final int ENUM = 247;
    static final int SET = 248;
    static final int BLOB = 252;
    static final int VAR_STRING = 253;
    static final int STRING = 254;
    static final int GEOMETRY = 255;

    private static final int DIGITS_PER_WORD = 9;
    private static final int[] BYTES_OF_DIGITS = {0, 1, 1, 2, 2, 3, 3, 4, 4, 4};

    /**
     * Reads a column's part of the description of a table.
     *
     * @param type the code of its type
     * @param metadata what the log says of the columns, from this one on; what is said of this one is read
     * @return null for a type that is not known, whose part has no known length, so that those of the columns after it
     *     can't be found either
     */
    static @Nullable CellFormat read(int type, ByteBuffer metadata) {
        return switch (type) {
            case TINY, YEAR -> fixed(type, 0, 1);
            case SHORT -> fixed(type, 0, 2);
            case INT24, DATE, NEWDATE -> fixed(type, 0, 3);
            case LONG -> fixed(type, 0, 4);
            case LONGLONG -> fixed(type, 0, 8);
            case FLOAT, DOUBLE -> {
                int bytes = metadata.get() & 0xFF;
                yield fixed(type, bytes, bytes);
            }
            case TIMESTAMP2 -> withFraction(type, 4, metadata);
            case DATETIME2 -> withFraction(type, 5, metadata);
            case TIME2 -> withFraction(type, 3, metadata);
            case BIT -> {
                int bits = metadata.get() & 0xFF;
                int whole = metadata.get() & 0xFF;
                yield fixed(type, whole * 8 + bits, whole + (bits > 0 ? 1 : 0));
            }
            case NEWDECIMAL -> {
                int precision = metadata.get() & 0xFF;
                int scale = metadata.get() & 0xFF;
                yield fixed(
                        type, precision << 8 | scale, digits(precision - scale) + digits(scale));
            }
            case VARCHAR, VAR_STRING, VARCHAR_COMPRESSED -> {
                int most = metadata.getShort() & 0xFFFF;
                yield new CellFormat(type, most, most > 255 ? 2 : 1, true);
            }
            case BLOB, BLOB_COMPRESSED, JSON, GEOMETRY -> {
                int bytes = metadata.get() & 0xFF;
                yield new CellFormat(type, bytes, bytes, true);
            }
            case STRING -> string(metadata.get() & 0xFF, metadata.get() & 0xFF);
            // Among them are the times from before MariaDB 10.1, whose length depends on a fraction
            // of which the log
            // says nothing.
            default -> null;
        };
    }

    private static CellFormat fixed(int type, int meta, int bytes) {
        return new CellFormat(type, meta, bytes, false);
    }

    private static CellFormat withFraction(int type, int bytes, ByteBuffer metadata) {
        int digits = metadata.get() & 0xFF;
        return fixed(type, digits, bytes + (digits + 1) / 2);
    }

    private static int digits(int count) {
        return count / DIGITS_PER_WORD * 4 + BYTES_OF_DIGITS[count % DIGITS_PER_WORD];
    }

    /** Enums and sets are written as strings. Two bits of the length are in the type, inverted. */
    private static CellFormat string(int type, int length) {
        if (type == ENUM || type == SET) {
            return fixed(type, length, length);
        }
        int most = length | ((type & 0x30) ^ 0x30) << 4;
        return new CellFormat(STRING, most, most > 255 ? 2 : 1, true);
    }

    /** Reads a cell. */
    byte[] cell(ByteBuffer row) {
        byte[] cell = new byte[length(row)];
        row.get(cell);
        return cell;
    }

    /** Passes over a cell. */
    void skip(ByteBuffer row) {
        int length = length(row);
        row.position(Math.addExact(row.position(), length));
    }

    private int length(ByteBuffer row) {
        if (!prefixed) {
            return bytes;
        }
        int length = 0;
        for (int i = 0; i < bytes; i++) {
            length |= (row.get() & 0xFF) << (8 * i);
        }
        if (length < 0 || length > row.remaining()) {
            throw new java.nio.BufferUnderflowException();
        }
        return length;
    }
}
