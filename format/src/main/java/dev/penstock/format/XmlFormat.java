package dev.penstock.format;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.penstock.query.Column;
import dev.penstock.query.Cursor;
import dev.penstock.query.Utf8;
import java.io.IOException;
import java.nio.channels.WritableByteChannel;
import java.util.List;

/** The format {@link RowFormat#XML}. */
final class XmlFormat implements RowFormat {
    private static final byte[] START =
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<rows>\n".getBytes(UTF_8);
    private static final byte[] ROW = "<row>".getBytes(UTF_8);
    private static final byte[] ROW_END = "</row>\n".getBytes(UTF_8);
    private static final byte[] END = "</rows>\n".getBytes(UTF_8);
    private static final Escapes ESCAPES = escapes();

    @Override
    public String name() {
        return "xml";
    }

    @Override
    public String mediaType() {
        return "application/xml; charset=utf-8";
    }

    @Override
    public void write(Cursor rows, WritableByteChannel channel) throws IOException {
        boolean more = rows.next();
        ByteOutput out = new ByteOutput(channel);
        List<Column> columns = rows.columns();
        byte[][] opening = new byte[columns.size()][];
        byte[][] closing = new byte[columns.size()][];
        for (int i = 0; i < opening.length; i++) {
            String name = XmlName.of(columns.get(i).name());
            opening[i] = ("<" + name + ">").getBytes(UTF_8);
            closing[i] = ("</" + name + ">").getBytes(UTF_8);
        }
        WideBytes wide = new WideBytes(columns);
        out.write(START);
        for (; more; more = rows.next()) {
            row(rows, opening, closing, wide, out);
        }
        out.write(END);
        out.drain();
    }

    private static void row(
            Cursor rows, byte[][] opening, byte[][] closing, WideBytes wide, ByteOutput out)
            throws IOException {
        out.write(ROW);
        for (int i = 0; i < opening.length; i++) {
            if (wide.has(rows, i)) {
                out.write(opening[i]);
                wide.write(rows, i, out);
                out.write(closing[i]);
                continue;
            }
            Utf8 cell = rows.text(i);
            if (cell != null) {
                out.write(opening[i]);
                ESCAPES.write(cell, out);
                out.write(closing[i]);
            }
        }
        out.write(ROW_END);
    }

    /** A carriage return is escaped since parsers turn a bare one into a line feed. */
    private static Escapes escapes() {
        Escapes escapes = new Escapes(false);
        for (int control = 0; control < 0x20; control++) {
            if (control != '\t' && control != '\n') {
                escapes.with(control, "\uFFFD");
            }
        }
        return escapes.with('\r', "&#13;").with('&', "&amp;").with('<', "&lt;").with('>', "&gt;");
    }
}
