package dev.penstock.http.response;

import dev.penstock.http.ContentCoder;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The encoder of one response, until it is closed. For one thread at a time. */
final class Encoding implements AutoCloseable {
    private final String coding;
    private final Runnable onClose;
    private ContentCoder.@Nullable Encoder encoder;

    /**
     * @param onClose gives back what was reserved for the encoder
     */
    Encoding(String coding, ContentCoder.Encoder encoder, Runnable onClose) {
        this.coding = coding;
        this.encoder = encoder;
        this.onClose = onClose;
    }

    String coding() {
        return coding;
    }

    private ContentCoder.Encoder encoder() throws IOException {
        ContentCoder.Encoder known = encoder;
        if (known == null) {
            throw new IOException("The response is broken: its encoder is closed");
        }
        return known;
    }

    void write(ByteBuffer source, ContentCoder.Output output) throws IOException {
        encoder().write(source, output);
    }

    void flush(ContentCoder.Output output) throws IOException {
        encoder().flush(output);
    }

    void finish(ContentCoder.Output output) throws IOException {
        encoder().finish(output);
    }

    /**
     * Encodes a whole body.
     *
     * @param target with room for all of it
     * @return false, and the target is of no use, if it would become longer
     */
    boolean shortens(ByteBuffer source, ByteBuf target) throws IOException {
        int most = source.remaining();
        ContentCoder.Output output =
                bytes -> {
                    if (target.readableBytes() + bytes.remaining() > most) {
                        throw new Incompressible();
                    }
                    target.writeBytes(bytes);
                };
        try {
            write(source, output);
            finish(output);
            return true;
        } catch (Incompressible _) {
            return false;
        }
    }

    @Override
    public void close() {
        ContentCoder.Encoder known = encoder;
        encoder = null;
        if (known != null) {
            try {
                known.close();
            } finally {
                onClose.run();
            }
        }
    }

    /** The end of an encoding that saves nothing. */
    private static final class Incompressible extends IOException {
        private static final long serialVersionUID = 1L;
    }
}
