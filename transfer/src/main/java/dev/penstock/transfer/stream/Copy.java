package dev.penstock.transfer.stream;

import java.io.Flushable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/** A second way that bytes go. */
final class Copy implements Stage {
    private final Target target;
    private final Flushable flushed;

    /** The target of a copy. */
    private interface Target {
        void write(ByteBuffer bytes) throws IOException;
    }

    private Copy(Target target, Flushable flushed) {
        this.target = target;
        this.flushed = flushed;
    }

    /** A copy to a stream, which is flushed, and not closed. */
    static Copy to(OutputStream out) {
        return new Copy(bytes -> write(bytes, out), out);
    }

    /** A copy to a channel, which is not closed. */
    static Copy to(WritableByteChannel channel) {
        return new Copy(
                bytes -> {
                    while (bytes.hasRemaining()) {
                        channel.write(bytes);
                    }
                },
                () -> {});
    }

    private static void write(ByteBuffer bytes, OutputStream out) throws IOException {
        out.write(bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
    }

    @Override
    public void passed(ByteBuffer bytes) throws IOException {
        target.write(bytes);
    }

    @Override
    public void flush() throws IOException {
        flushed.flush();
    }
}
