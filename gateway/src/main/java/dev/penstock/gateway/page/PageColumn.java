package dev.penstock.gateway.page;

import dev.penstock.format.PageWriter;
import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import dev.penstock.query.Cursor;
import dev.penstock.query.Utf8;
import java.io.IOException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A column on a page: how its cells are written. Of long texts and bytes only the beginning is written, with their
 * length and a link to the whole. Not thread-safe.
 */
final class PageColumn {
    /** Bytes of a text that stand in a list, and in the page of a row. */
    private static final int IN_LIST = 160;

    private static final int IN_ROW = 64 * 1024;

    /** Bytes of a binary cell that are shown. */
    private static final int BINARY_IN_LIST = 12;

    private static final int BINARY_IN_ROW = 256;

    /** Texts that are longer may break into lines. */
    private static final int ONE_LINE = 40;

    private final int index;
    private final String label;
    private final Column column;
    private final @Nullable RowLink link;
    private final Utf8 start = new Utf8();

    /**
     * @param index which of the answer's it is
     * @param label its name in the answer
     * @param column of the table
     * @param link to the row that its cells name; null where they name none
     */
    PageColumn(int index, String label, Column column, @Nullable RowLink link) {
        this.index = index;
        this.label = label;
        this.column = column;
        this.link = link;
    }

    String label() {
        return label;
    }

    Column column() {
        return column;
    }

    boolean isNumeric() {
        return column.type().isNumeric();
    }

    /** Writes a reference to the whole of a cell. */
    interface Whole {
        void write(PageColumn column, PageWriter out) throws IOException;
    }

    /** Writes the cell of a row in a list, as an element. */
    void writeInList(Cursor rows, Whole whole, PageWriter out) throws IOException {
        Utf8 cell = cell(rows);
        if (cell == null) {
            out.write(isNumeric() ? "<td class=\"n z\">NULL</td>" : "<td class=\"z\">NULL</td>");
            return;
        }
        out.write(isNumeric() ? "<td class=\"n\">" : "<td>");
        if (cell.length() > ONE_LINE && column.type() != ColumnType.BINARY && !isNumeric()) {
            out.write("<div>");
            write(cell, rows, IN_LIST, BINARY_IN_LIST, whole, out);
            out.write("</div>");
        } else {
            write(cell, rows, IN_LIST, BINARY_IN_LIST, whole, out);
        }
        out.write("</td>");
    }

    /** Writes the cell on the page of its row, as an element. */
    void writeInRow(Cursor rows, Whole whole, PageWriter out) throws IOException {
        Utf8 cell = cell(rows);
        if (cell == null) {
            out.write("<td class=\"z\">NULL</td>");
            return;
        }
        out.write("<td>");
        write(cell, rows, IN_ROW, BINARY_IN_ROW, whole, out);
        out.write("</td>");
    }

    private void write(Utf8 cell, Cursor rows, int texts, int bytes, Whole whole, PageWriter out)
            throws IOException {
        if (cell.length() == 0) {
            out.write("<span class=\"z\">empty</span>");
        } else if (column.type() == ColumnType.BINARY) {
            boolean raw = rows.wideBytes(index) != null;
            writeBinary(cell, raw, bytes, whole, out);
        } else if (cell.length() > texts) {
            int length = cell.length();
            out.writeEscaped(start.set(cell.array(), cell.offset(), cut(cell, texts)));
            out.write("\u2026 ");
            writeWhole(length, whole, out);
        } else if (link != null && link.exists(rows)) {
            out.write("<a href=\"");
            link.write(rows, out);
            out.write("\">");
            out.writeEscaped(rows.text(index));
            out.write("</a>");
        } else {
            out.writeEscaped(rows.text(index));
        }
    }

    /** Where a text ends that has at most so many bytes of a longer one: never within a character. */
    static int cut(Utf8 text, int bytes) {
        int end = bytes;
        while (end > bytes - 4 && (text.array()[text.offset() + end] & 0xC0) == 0x80) {
            end--;
        }
        return end;
    }

    /** The cell's bytes where the cursor has a long one so, else its text; null for NULL. */
    private @Nullable Utf8 cell(Cursor rows) {
        Utf8 bytes = rows.wideBytes(index);
        return bytes == null ? rows.text(index) : bytes;
    }

    /**
     * Writes the first bytes as hexadecimal digits.
     *
     * @param raw whether the cell is given as bytes, and not as text, which is base64
     */
    private void writeBinary(Utf8 cell, boolean raw, int shown, Whole whole, PageWriter out)
            throws IOException {
        int padding = 0;
        while (padding < 2 && cell.array()[cell.offset() + cell.length() - 1 - padding] == '=') {
            padding++;
        }
        int length = raw ? cell.length() : cell.length() / 4 * 3 - padding;
        int digits = Math.min(cell.length(), raw ? shown : (shown + 2) / 3 * 4);
        byte[] start = new byte[digits];
        System.arraycopy(cell.array(), cell.offset(), start, 0, digits);
        byte[] bytes = raw ? start : Base64.getDecoder().decode(start);
        int count = Math.min(bytes.length, shown);
        out.write("<code>");
        out.write(HexFormat.ofDelimiter(" ").formatHex(bytes, 0, count));
        out.write("</code>");
        if (length > count) {
            out.write("\u2026 ");
            writeWhole(length, whole, out);
        } else {
            out.write(" <small>" + bytes(length) + "</small>");
        }
    }

    private void writeWhole(int length, Whole whole, PageWriter out) throws IOException {
        out.write("<a class=\"w\" href=\"");
        whole.write(this, out);
        out.write("\">" + bytes(length) + "</a>");
    }

    private static String bytes(int length) {
        return String.format(Locale.ROOT, "%,d byte%s", length, length == 1 ? "" : "s");
    }
}
