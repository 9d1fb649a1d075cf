package dev.penstock.format;

import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import dev.penstock.query.Cursor;
import dev.penstock.query.Utf8;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.List;

/**
 * The long binary cells of an answer, which are written as base64 block by block, so that their text is never held as a
 * whole.
 */
final class WideBytes {
    /** Divisible by 3, so that base64 can go on where it stopped, and its text fits a {@link ByteOutput}. */
    private static final int BLOCK = 9 * 1024;

    private final boolean[] binary;

    WideBytes(List<Column> columns) {
        binary = new boolean[columns.size()];
        for (int i = 0; i < binary.length; i++) {
            binary[i] = columns.get(i).type() == ColumnType.BINARY;
        }
    }

    /** Returns whether a cell has to be written by {@link #write}. */
    boolean has(Cursor rows, int column) {
        return binary[column] && rows.wideBytes(column) != null;
    }

    void write(Cursor rows, int column, ByteOutput out) throws IOException {
        Utf8 cell = rows.wideBytes(column);
        int length = cell == null ? 0 : cell.length();
        for (int from = 0; cell != null && from < length; from += BLOCK) {
            int count = Math.min(BLOCK, length - from);
            ByteBuffer block = ByteBuffer.wrap(cell.array(), cell.offset() + from, count);
            out.write(Base64.getEncoder().encode(block).array());
        }
    }
}
