package dev.penstock.format;

import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import dev.penstock.query.Cursor;
import dev.penstock.query.Utf8;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A writer of rows as JSON objects, each on one line. One for each answer: its parts are made once, from the columns.
 */
final class JsonRow {
    private static final byte[] NULL = "null".getBytes(StandardCharsets.US_ASCII);
    static final Escapes TEXT = textEscapes();

    /** Line ends in a JSON document stand between its tokens: in a string they are escaped. */
    static final Escapes DOCUMENT = new Escapes(true).with('\n', " ").with('\r', " ");

    private enum Form {
        RAW,
        NUMBER,
        QUOTED,
        TEXT,
        DOCUMENT,
        ARRAY
    }

    private final Form[] forms;

    /** What comes before each value: a brace or comma, the name and a colon. */
    private final byte[][] names;

    private final boolean withoutNulls;
    private final WideBytes wide;
    private final JsonSyntax syntax = new JsonSyntax();

    /** What the elements of an array are; of what is no array, its own type. */
    private final ColumnType[] elements;

    private final ArrayText arrays = new ArrayText(TEXT, syntax);

    /**
     * @param columns of the answer
     * @param withoutNulls whether cells that are NULL are left out
     */
    JsonRow(List<Column> columns, boolean withoutNulls) throws IOException {
        this.withoutNulls = withoutNulls;
        wide = new WideBytes(columns);
        forms = new Form[columns.size()];
        names = new byte[forms.length][];
        elements = new ColumnType[forms.length];
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ByteOutput out = new ByteOutput(Channels.newChannel(bytes));
        for (int i = 0; i < forms.length; i++) {
            Column column = columns.get(i);
            forms[i] = form(column);
            ColumnType element = column.nativeType().element();
            elements[i] = element == null ? column.type() : element;
            name(column.name(), i == 0 ? '{' : ',', out);
            names[i] = bytes.toByteArray();
            bytes.reset();
        }
    }

    private static Form form(Column column) {
        if (column.nativeType().element() != null) {
            return Form.ARRAY;
        }
        return switch (column.type()) {
            case BOOLEAN -> Form.RAW;
            case INT, LONG, DECIMAL, FLOAT, DOUBLE -> Form.NUMBER;
            case DATE, TIME, TIMESTAMP, TIMESTAMP_UTC, BINARY, UUID -> Form.QUOTED;
            case TEXT, OTHER -> Form.TEXT;
            case JSON -> Form.DOCUMENT;
        };
    }

    private static void name(String name, char before, ByteOutput out) throws IOException {
        byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
        out.write(before);
        out.write('"');
        TEXT.write(utf8, 0, utf8.length, out);
        out.write('"');
        out.write(':');
        out.drain();
    }

    void write(Cursor rows, ByteOutput out) throws IOException {
        if (withoutNulls) {
            writeValues(rows, out);
            return;
        }
        for (int i = 0; i < forms.length; i++) {
            out.write(names[i]);
            if (wide.has(rows, i)) {
                wide(rows, i, out);
                continue;
            }
            Utf8 cell = rows.text(i);
            if (cell == null) {
                out.write(NULL);
            } else {
                value(i, cell, out);
            }
        }
        out.write('}');
    }

    private void writeValues(Cursor rows, ByteOutput out) throws IOException {
        byte before = '{';
        for (int i = 0; i < forms.length; i++) {
            boolean isWide = wide.has(rows, i);
            Utf8 cell = isWide ? null : rows.text(i);
            if (isWide || cell != null) {
                out.write(before);
                out.write(names[i], 1, names[i].length - 1);
                before = ',';
            }
            if (isWide) {
                wide(rows, i, out);
            } else if (cell != null) {
                value(i, cell, out);
            }
        }
        if (before == '{') {
            out.write('{');
        }
        out.write('}');
    }

    private void wide(Cursor rows, int column, ByteOutput out) throws IOException {
        out.write('"');
        wide.write(rows, column, out);
        out.write('"');
    }

    private void value(int column, Utf8 cell, ByteOutput out) throws IOException {
        switch (forms[column]) {
            case RAW -> copy(cell, out);
            case NUMBER -> {
                if (isNumber(cell.array(), cell.offset(), cell.length())) {
                    copy(cell, out);
                } else {
                    text(cell, out);
                }
            }
            case QUOTED -> {
                out.write('"');
                copy(cell, out);
                out.write('"');
            }
            case TEXT -> text(cell, out);
            case DOCUMENT -> {
                if (syntax.isDocument(cell)) {
                    DOCUMENT.write(cell, out);
                } else {
                    text(cell, out);
                }
            }
            case ARRAY -> {
                // H2's arrays are JSON by themselves.
                if (isList(cell) && syntax.isDocument(cell)) {
                    DOCUMENT.write(cell, out);
                } else if (!arrays.write(cell, elements[column], out)) {
                    text(cell, out);
                }
            }
        }
    }

    private static boolean isList(Utf8 cell) {
        return cell.length() > 0 && cell.array()[cell.offset()] == '[';
    }

    private static void copy(Utf8 cell, ByteOutput out) throws IOException {
        out.write(cell.array(), cell.offset(), cell.length());
    }

    private static void text(Utf8 cell, ByteOutput out) throws IOException {
        out.write('"');
        TEXT.write(cell, out);
        out.write('"');
    }

    /**
     * Returns whether the text of a numeric column is a number to JSON, which knows no NaN, no infinity and no leading
     * zero.
     */
    static boolean isNumber(byte[] array, int offset, int length) {
        int first = offset;
        int last = first + length - 1;
        if (last < first || array[last] < '0' || array[last] > '9') {
            return false;
        }
        if (array[first] == '-') {
            first++;
        }
        return array[first] != '0' || first == last || array[first + 1] == '.';
    }

    private static Escapes textEscapes() {
        Escapes escapes = new Escapes(true);
        for (int control = 0; control < 0x20; control++) {
            escapes.with(control, String.format("\\u%04x", control));
        }
        return escapes.with('"', "\\\"")
                .with('\\', "\\\\")
                .with('\b', "\\b")
                .with('\f', "\\f")
                .with('\n', "\\n")
                .with('\r', "\\r")
                .with('\t', "\\t");
    }
}
