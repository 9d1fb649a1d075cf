package dev.penstock.documents.buffer;

import java.io.IOException;
import java.io.OutputStream;

/** The bytes that go to the stream of the caller. */
public final class Output extends Bytes {
    private final OutputStream stream;

    public Output(OutputStream stream) {
        super(new byte[32_768]);
        this.stream = stream;
    }

    @Override
    public void room(int count) {
        drain();
    }

    private void drain() {
        try {
            stream.write(buffer, 0, length);
        } catch (IOException e) {
            throw Problems.writing(e);
        }
        length = 0;
    }

    @Override
    public void take(Rope rope) {
        rope.drainTo(this);
    }

    public void flush() {
        drain();
        try {
            stream.flush();
        } catch (IOException e) {
            throw Problems.writing(e);
        }
    }
}
