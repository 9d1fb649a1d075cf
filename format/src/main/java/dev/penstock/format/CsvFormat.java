package dev.penstock.format;

import dev.penstock.query.Column;
import dev.penstock.query.Cursor;
import dev.penstock.query.Utf8;
import java.io.IOException;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The format {@link RowFormat#CSV}. */
final class CsvFormat implements RowFormat {
    private static final byte[] EMPTY = {'"', '"'};
    private static final Escapes QUOTED = new Escapes(true).with('"', "\"\"");

    /**
     * For each byte: 0 if it stands as it is, 1 if it is no ASCII and to be checked, 2 if it makes quotes necessary.
     */
    private static final byte[] CARE = new byte[256];

    static {
        java.util.Arrays.fill(CARE, 128, 256, (byte) 1);
        for (char special : new char[] {',', '"', '\r', '\n'}) {
            CARE[special] = 2;
        }
    }

    @Override
    public String name() {
        return "csv";
    }

    @Override
    public String mediaType() {
        return "text/csv; charset=utf-8";
    }

    @Override
    public void write(Cursor rows, WritableByteChannel channel) throws IOException {
        boolean more = rows.next();
        ByteOutput out = new ByteOutput(channel);
        boolean[] plain = header(rows.columns(), out);
        WideBytes wide = new WideBytes(rows.columns());
        for (; more; more = rows.next()) {
            row(rows, plain, wide, out);
        }
        out.drain();
    }

    /** Writes the names, and tells which columns never need quotes. */
    private static boolean[] header(List<Column> columns, ByteOutput out) throws IOException {
        boolean[] plain = new boolean[columns.size()];
        for (int i = 0; i < plain.length; i++) {
            Column column = columns.get(i);
            plain[i] = !column.type().isTextual();
            byte[] name = column.name().getBytes(StandardCharsets.UTF_8);
            separate(i, out);
            text(name, 0, name.length, out);
        }
        endLine(out);
        return plain;
    }

    private static void row(Cursor rows, boolean[] plain, WideBytes wide, ByteOutput out)
            throws IOException {
        for (int i = 0; i < plain.length; i++) {
            separate(i, out);
            if (wide.has(rows, i)) {
                wide.write(rows, i, out);
                continue;
            }
            Utf8 cell = rows.text(i);
            if (cell == null) {
                continue;
            }
            if (plain[i] && cell.length() > 0) {
                out.write(cell.array(), cell.offset(), cell.length());
            } else {
                text(cell.array(), cell.offset(), cell.length(), out);
            }
        }
        endLine(out);
    }

    private static void separate(int column, ByteOutput out) throws IOException {
        if (column > 0) {
            out.write(',');
        }
    }

    private static void endLine(ByteOutput out) throws IOException {
        int at = out.room(2);
        out.array()[at] = '\r';
        out.array()[at + 1] = '\n';
        out.advanceTo(at + 2);
    }

    private static void text(byte[] text, int offset, int length, ByteOutput out)
            throws IOException {
        if (length == 0) {
            out.write(EMPTY);
            return;
        }
        int care = care(text, offset, offset + length);
        if (care == 0) {
            out.write(text, offset, length);
        } else if (care == 1) {
            QUOTED.write(text, offset, length, out);
        } else {
            out.write('"');
            QUOTED.write(text, offset, length, out);
            out.write('"');
        }
    }

    /** The greatest {@link #CARE} that a byte of the text needs. */
    private static int care(byte[] text, int from, int end) {
        int care = 0;
        for (int i = from; i < end; i++) {
            care |= CARE[text[i] & 0xFF];
        }
        return care;
    }
}
