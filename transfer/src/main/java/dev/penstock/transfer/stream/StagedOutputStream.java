package dev.penstock.transfer.stream;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Objects;

/** An output stream whose bytes go through a stage. */
final class StagedOutputStream extends OutputStream {
    private final OutputStream out;
    private final Stage stage;

    StagedOutputStream(OutputStream out, Stage stage) {
        this.out = Objects.requireNonNull(out, "out");
        this.stage = stage;
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] source, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, source.length);
        int at = offset;
        int end = offset + length;
        while (at < end) {
            int step = stage.mayWrite(end - at);
            out.write(source, at, step);
            stage.passed(ByteBuffer.wrap(source, at, step));
            at += step;
        }
    }

    @Override
    public void flush() throws IOException {
        out.flush();
        stage.flush();
    }

    @Override
    public void close() throws IOException {
        try (out) {
            stage.flush();
        }
    }
}
