package dev.penstock.documents.format;

import java.io.IOException;
import java.io.OutputStream;

/** The bytes that go to the stream of the caller. */
final class Output extends Bytes {
    private final OutputStream stream;

    Output(OutputStream stream) {
        super(new byte[32_768]);
        this.stream = stream;
    }

    @Override
    void room(int count) {
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
    void take(Rope rope) {
        rope.drainTo(this);
    }

    void flush() {
        drain();
        try {
            stream.flush();
        } catch (IOException e) {
            throw Problems.writing(e);
        }
    }
}
