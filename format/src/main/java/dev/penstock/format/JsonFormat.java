package dev.penstock.format;

import dev.penstock.query.Cursor;
import java.io.IOException;
import java.nio.channels.WritableByteChannel;

/** The formats {@link RowFormat#JSON} and {@link RowFormat#NDJSON}. */
final class JsonFormat implements RowFormat {
    private static final byte[] BETWEEN = {',', '\n'};
    private static final byte[] END = {']', '\n'};

    private final boolean lines;
    private final boolean withoutNulls;

    JsonFormat(boolean lines, boolean withoutNulls) {
        this.lines = lines;
        this.withoutNulls = withoutNulls;
    }

    JsonFormat withoutNulls() {
        return new JsonFormat(lines, true);
    }

    @Override
    public String name() {
        return lines ? "ndjson" : "json";
    }

    @Override
    public String mediaType() {
        return lines ? "application/x-ndjson" : "application/json";
    }

    @Override
    public void write(Cursor rows, WritableByteChannel channel) throws IOException {
        boolean more = rows.next();
        ByteOutput out = new ByteOutput(channel);
        JsonRow row = new JsonRow(rows.columns(), withoutNulls);
        if (lines) {
            for (; more; more = rows.next()) {
                row.write(rows, out);
                out.write('\n');
            }
        } else {
            array(rows, more, row, out);
        }
        out.drain();
    }

    private static void array(Cursor rows, boolean some, JsonRow row, ByteOutput out)
            throws IOException {
        out.write('[');
        boolean more = some;
        while (more) {
            row.write(rows, out);
            more = rows.next();
            if (more) {
                out.write(BETWEEN);
            }
        }
        out.write(END);
    }
}
