package dev.penstock.format;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.penstock.query.Cursor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/** A format from outside: how many rows there are. */
public final class CountFormat implements RowFormat {
    @Override
    public String name() {
        return "rowcount";
    }

    @Override
    public String mediaType() {
        return "text/x-count; charset=utf-8";
    }

    @Override
    public void write(Cursor rows, WritableByteChannel out) throws IOException {
        long count = 0;
        while (rows.next()) {
            count++;
        }
        out.write(ByteBuffer.wrap((count + "\n").getBytes(UTF_8)));
    }
}
