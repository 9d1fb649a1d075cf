package dev.penstock.http.compression;

import com.github.luben.zstd.EndDirective;
import com.github.luben.zstd.ZstdCompressCtx;
import dev.penstock.http.ContentCoder;
import java.io.IOException;
import java.nio.ByteBuffer;

/** One response as a frame of zstd. For one thread at a time. */
final class ZstdEncoder implements ContentCoder.Encoder {
    /** Bytes of each of the two buffers through which it goes, outside of the heap. */
    static final int BUFFER = 8 * 1024;

    private final ZstdCompressCtx context;
    private final ByteBuffer input = ByteBuffer.allocateDirect(BUFFER);
    private final ByteBuffer encoded = ByteBuffer.allocateDirect(BUFFER);

    /** Whether it is within a frame. */
    private boolean begun;

    private boolean open = true;

    ZstdEncoder(ZstdCompressCtx context) {
        this.context = context;
    }

    /** It was closed, and is to be used once more. */
    ZstdEncoder reopen() {
        open = true;
        return this;
    }

    @Override
    public void write(ByteBuffer source, ContentCoder.Output output) throws IOException {
        while (source.hasRemaining()) {
            int count = Math.min(source.remaining(), BUFFER);
            input.clear().put(source.slice(source.position(), count)).flip();
            source.position(source.position() + count);
            encode(EndDirective.CONTINUE, output);
        }
    }

    @Override
    public void flush(ContentCoder.Output output) throws IOException {
        input.clear().flip();
        encode(EndDirective.FLUSH, output);
    }

    @Override
    public void finish(ContentCoder.Output output) throws IOException {
        input.clear().flip();
        encode(EndDirective.END, output);
        begun = false;
    }

    private void encode(EndDirective directive, ContentCoder.Output output) throws IOException {
        begun = true;
        boolean done = false;
        while (!done) {
            encoded.clear();
            boolean all = context.compressDirectByteBufferStream(encoded, input, directive);
            done = directive == EndDirective.CONTINUE ? !input.hasRemaining() : all;
            encoded.flip();
            if (encoded.hasRemaining()) {
                output.put(encoded);
            }
        }
    }

    @Override
    public void close() {
        if (open) {
            open = false;
            // A frame that is not at its end can only be left by a reset, which forgets the
            // parameters too.
            if (begun || !ZstdCoder.keep(this)) {
                context.close();
            }
        }
    }
}
