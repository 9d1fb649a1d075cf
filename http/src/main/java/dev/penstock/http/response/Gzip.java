package dev.penstock.http.response;

import com.jcraft.jzlib.Deflater;
import com.jcraft.jzlib.GZIPException;
import com.jcraft.jzlib.JZlib;
import dev.penstock.http.ContentCoder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/**
 * Compresses one response as a gzip member (RFC 1952). The deflater is one whose window and tables are chosen here and
 * lie on the heap: about 45 KiB, where the JDK's takes 256 KiB of native memory that no limit covers ({@code
 * docs/decisions/compression.md}). For one thread.
 */
final class Gzip implements ContentCoder.Encoder {
    private static final int LEVEL = 3;
    private static final int WINDOW_BITS = 12;
    private static final int MEMORY_LEVEL = 5;
    private static final int STEP = 4096;
    private static final byte[] HEADER = {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, (byte) 0xff};

    private final Deflater deflater;
    private final CRC32 checksum = new CRC32();
    private final byte[] input = new byte[STEP];
    private final byte[] room = new byte[STEP];
    private long length;
    private boolean begun;

    /** Whether something was written that may not have come out. */
    private boolean holds;

    Gzip() {
        try {
            deflater = new Deflater(LEVEL, WINDOW_BITS, MEMORY_LEVEL, JZlib.W_NONE);
        } catch (GZIPException failure) {
            throw new IllegalStateException("Deflater refuses its settings", failure);
        }
    }

    @Override
    public void write(ByteBuffer source, ContentCoder.Output output) throws IOException {
        while (source.hasRemaining()) {
            int count = Math.min(source.remaining(), STEP);
            source.get(input, 0, count);
            checksum.update(input, 0, count);
            length += count;
            holds = true;
            deflater.setInput(input, 0, count, false);
            deflate(JZlib.Z_NO_FLUSH, output);
        }
    }

    /** Brings out all that was written so far; does nothing where that is out already. */
    @Override
    public void flush(ContentCoder.Output output) throws IOException {
        if (holds) {
            holds = false;
            deflate(JZlib.Z_SYNC_FLUSH, output);
        }
    }

    @Override
    public void finish(ContentCoder.Output output) throws IOException {
        deflate(JZlib.Z_FINISH, output);
        deflater.end();
        byte[] trailer = new byte[8];
        for (int i = 0; i < 4; i++) {
            trailer[i] = (byte) (checksum.getValue() >>> (8 * i));
            trailer[4 + i] = (byte) (length >>> (8 * i));
        }
        output.put(ByteBuffer.wrap(trailer));
    }

    private void deflate(int flush, ContentCoder.Output output) throws IOException {
        if (!begun) {
            begun = true;
            output.put(ByteBuffer.wrap(HEADER));
        }
        do {
            deflater.setOutput(room, 0, room.length);
            int result = deflater.deflate(flush);
            if (result != JZlib.Z_OK
                    && result != JZlib.Z_STREAM_END
                    && result != JZlib.Z_BUF_ERROR) {
                throw new IllegalStateException("Deflater failed with " + result);
            }
            int count = room.length - deflater.getAvailOut();
            if (count > 0) {
                output.put(ByteBuffer.wrap(room, 0, count));
            }
        } while (deflater.getAvailOut() == 0);
    }

    /** Its memory is on the heap. */
    @Override
    public void close() {}
}
