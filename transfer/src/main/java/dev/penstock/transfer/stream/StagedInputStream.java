package dev.penstock.transfer.stream;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Objects;

/** An input stream whose bytes go through a stage. */
final class StagedInputStream extends InputStream {
    private final InputStream in;
    private final Stage stage;
    private final byte[] one = new byte[1];

    StagedInputStream(InputStream in, Stage stage) {
        this.in = Objects.requireNonNull(in, "in");
        this.stage = stage;
    }

    @Override
    public int read() throws IOException {
        int count = read(one, 0, 1);
        return count < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, target.length);
        if (length == 0) {
            return 0;
        }
        int most = stage.mayRead(length);
        int count = 0;
        try {
            count = in.read(target, offset, most);
        } finally {
            stage.unused(most - Math.max(count, 0));
        }
        if (count > 0) {
            stage.passed(ByteBuffer.wrap(target, offset, count));
        }
        return count;
    }

    @Override
    public int available() throws IOException {
        return in.available();
    }

    @Override
    public void close() throws IOException {
        try (in) {
            stage.flush();
        }
    }
}
