package dev.penstock.http.compression;

import com.aayushatharva.brotli4j.encoder.Encoder;
import com.aayushatharva.brotli4j.encoder.EncoderJNI;
import dev.penstock.http.ContentCoder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;

/** One response as a brotli stream. For one thread at a time. */
final class BrotliEncoder implements ContentCoder.Encoder {
    /** Bytes of the buffer through which it goes in, outside of the heap. */
    static final int BUFFER = 8 * 1024;

    private final EncoderJNI.Wrapper encoder;
    private boolean open = true;

    BrotliEncoder(int quality, int windowBits) {
        try {
            encoder = new EncoderJNI.Wrapper(BUFFER, quality, windowBits, Encoder.Mode.TEXT);
        } catch (IOException failure) {
            throw new UncheckedIOException("Brotli has no memory for an encoder", failure);
        }
    }

    @Override
    public void write(ByteBuffer source, ContentCoder.Output output) throws IOException {
        while (source.hasRemaining()) {
            int count = Math.min(source.remaining(), BUFFER);
            encoder.getInputBuffer().clear().put(source.slice(source.position(), count));
            source.position(source.position() + count);
            encode(EncoderJNI.Operation.PROCESS, count, output);
        }
    }

    @Override
    public void flush(ContentCoder.Output output) throws IOException {
        encode(EncoderJNI.Operation.FLUSH, 0, output);
    }

    @Override
    public void finish(ContentCoder.Output output) throws IOException {
        encode(EncoderJNI.Operation.FINISH, 0, output);
    }

    private void encode(EncoderJNI.Operation operation, int count, ContentCoder.Output output)
            throws IOException {
        encoder.push(operation, count);
        while (encoder.isSuccess() && (encoder.hasMoreOutput() || encoder.hasRemainingInput())) {
            if (encoder.hasMoreOutput()) {
                // Its own memory, until the next call.
                output.put(encoder.pull());
            } else {
                encoder.push(operation, 0);
            }
        }
        if (!encoder.isSuccess()) {
            throw new IOException("Brotli has failed to encode a response");
        }
    }

    @Override
    public void close() {
        if (open) {
            open = false;
            encoder.destroy();
        }
    }
}
