package dev.penstock.format;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.penstock.query.Column;
import dev.penstock.query.Cursor;
import dev.penstock.query.Utf8;
import java.io.IOException;
import java.nio.channels.WritableByteChannel;
import java.util.List;
import java.util.Locale;

/** The format {@link RowFormat#HTML}. */
final class HtmlFormat implements RowFormat {
    private static final byte[] BEFORE_TITLE =
            """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>\
            """
                    .getBytes(UTF_8);
    private static final byte[] STYLE =
            """
            </title>
            <style>
            :root { color-scheme: light dark; }
            body { font: 15px/1.45 system-ui, sans-serif; margin: 1.5rem; }
            h1 { font-size: 1.3rem; margin: 0 0 1rem; }
            table { border-collapse: collapse; }
            th, td { padding: .3rem .7rem; text-align: left; vertical-align: top; border-bottom: 1px solid #8884; }
            th { position: sticky; top: 0; background: Canvas; border-bottom: 2px solid #8888; white-space: nowrap; }
            td { white-space: pre-wrap; overflow-wrap: normal; }
            .n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
            .z { color: #8a8a8a; font-style: italic; }
            tbody tr:hover { background: #8882; }
            p { color: #777; }
            </style>
            </head>
            <body>
            <h1>\
            """
                    .getBytes(UTF_8);
    private static final byte[] BEFORE_NAMES = "</h1>\n<table>\n<thead><tr>".getBytes(UTF_8);
    private static final byte[] AFTER_NAMES = "</tr></thead>\n<tbody>\n".getBytes(UTF_8);
    private static final byte[] NAME = "<th>".getBytes(UTF_8);
    private static final byte[] NUMERIC_NAME = "<th class=\"n\">".getBytes(UTF_8);
    private static final byte[] NAME_END = "</th>".getBytes(UTF_8);
    private static final byte[] ROW = "<tr>".getBytes(UTF_8);
    private static final byte[] CELL = "<td>".getBytes(UTF_8);
    private static final byte[] NUMERIC_CELL = "<td class=\"n\">".getBytes(UTF_8);
    private static final byte[] NULL = "<td class=\"z\">NULL</td>".getBytes(UTF_8);
    private static final byte[] NUMERIC_NULL = "<td class=\"n z\">NULL</td>".getBytes(UTF_8);
    private static final byte[] CELL_END = "</td>".getBytes(UTF_8);
    private static final byte[] ROW_END = "</tr>\n".getBytes(UTF_8);
    private static final Escapes ESCAPES = Escapes.html();

    private final String title;

    HtmlFormat(String title) {
        this.title = title;
    }

    @Override
    public String name() {
        return "html";
    }

    @Override
    public String mediaType() {
        return "text/html; charset=utf-8";
    }

    @Override
    public void write(Cursor rows, WritableByteChannel channel) throws IOException {
        boolean more = rows.next();
        ByteOutput out = new ByteOutput(channel);
        boolean[] numeric = header(rows.columns(), out);
        WideBytes wide = new WideBytes(rows.columns());
        long count = 0;
        for (; more; more = rows.next()) {
            row(rows, numeric, wide, out);
            count++;
        }
        String rowCount = String.format(Locale.ROOT, "%,d row%s", count, count == 1 ? "" : "s");
        out.write(
                ("</tbody>\n</table>\n<p>" + rowCount + "</p>\n</body>\n</html>\n")
                        .getBytes(UTF_8));
        out.drain();
    }

    /** Writes the page up to the first row, and tells which columns hold numbers. */
    private boolean[] header(List<Column> columns, ByteOutput out) throws IOException {
        out.write(BEFORE_TITLE);
        text(title, out);
        out.write(STYLE);
        text(title, out);
        out.write(BEFORE_NAMES);
        boolean[] numeric = new boolean[columns.size()];
        for (int i = 0; i < numeric.length; i++) {
            Column column = columns.get(i);
            numeric[i] = column.type().isNumeric();
            out.write(numeric[i] ? NUMERIC_NAME : NAME);
            text(column.name(), out);
            out.write(NAME_END);
        }
        out.write(AFTER_NAMES);
        return numeric;
    }

    private static void row(Cursor rows, boolean[] numeric, WideBytes wide, ByteOutput out)
            throws IOException {
        out.write(ROW);
        for (int i = 0; i < numeric.length; i++) {
            if (wide.has(rows, i)) {
                out.write(CELL);
                wide.write(rows, i, out);
                out.write(CELL_END);
                continue;
            }
            Utf8 cell = rows.text(i);
            if (cell == null) {
                out.write(numeric[i] ? NUMERIC_NULL : NULL);
                continue;
            }
            out.write(numeric[i] ? NUMERIC_CELL : CELL);
            ESCAPES.write(cell, out);
            out.write(CELL_END);
        }
        out.write(ROW_END);
    }

    private static void text(String text, ByteOutput out) throws IOException {
        byte[] utf8 = text.getBytes(UTF_8);
        ESCAPES.write(utf8, 0, utf8.length, out);
    }
}
