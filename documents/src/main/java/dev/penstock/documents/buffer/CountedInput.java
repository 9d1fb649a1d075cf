package dev.penstock.documents.buffer;

import dev.penstock.documents.DocumentLimits;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** The bytes of the caller, of which no more are read than the limits allow, in all and for one node. */
public final class CountedInput extends FilterInputStream {
    private final DocumentLimits limits;
    private final long mostForNode;
    private long count;
    private long atNode;

    public CountedInput(InputStream stream, DocumentLimits limits) {
        super(stream);
        this.limits = limits;
        this.mostForNode =
                1_000_000
                        + 12L * limits.textLength()
                        + 12L * limits.attributes() * limits.nameLength();
    }

    /** Takes note that a node has been read. */
    public void node() {
        atNode = count;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        int read = read(one, 0, 1);
        return read < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        // The parser fails in UTF-16 where a part that it gets ends within a character.
        int read = 0;
        int more = 0;
        while (read < length && (more = in.read(bytes, offset + read, length - read)) > 0) {
            read += more;
        }
        count += read;
        if (count > limits.totalBytes()) {
            throw Problems.limit(
                    "read the document",
                    "totalBytes",
                    limits.totalBytes(),
                    "raise it or split the document");
        }
        if (count - atNode > mostForNode) {
            throw Problems.limit(
                    "read the document",
                    "textLength",
                    limits.textLength(),
                    "raise it; one tag, comment or text is longer");
        }
        return read > 0 ? read : more;
    }

    @Override
    public void close() {
        // The stream is the caller's.
    }
}
