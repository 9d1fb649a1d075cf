package dev.penstock.http.response;

import com.jcraft.jzlib.Deflater;
import com.jcraft.jzlib.GZIPException;
import com.jcraft.jzlib.JZlib;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/**
 * Compresses one response as a gzip member (RFC 1952). The deflater is one whose window and tables are chosen here and
 * lie on the heap: about 45 KiB, where the JDK's takes 256 KiB of native memory that no limit covers ({@code
 * docs/decisions/compression.md}). For one thread.
 */
final class Gzip {
    private static final int LEVEL = 3;
    private static final int WINDOW_BITS = 12;
    private static final int MEMORY_LEVEL = 5;
    private static final int STEP = 4096;
    private static final byte[] HEADER = {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, (byte) 0xff};

    private final Sink sink;
    private final Deflater deflater;
    private final CRC32 checksum = new CRC32();
    private final byte[] input = new byte[STEP];
    private final byte[] output = new byte[STEP];
    private long length;
    private boolean begun;

    /** Whether something was written that may not have come out. */
    private boolean holds;

    Gzip(Sink sink) {
        this.sink = sink;
        try {
            deflater = new Deflater(LEVEL, WINDOW_BITS, MEMORY_LEVEL, JZlib.W_NONE);
        } catch (GZIPException failure) {
            throw new IllegalStateException("Deflater refuses its settings", failure);
        }
    }

    void write(ByteBuffer source) throws IOException {
        while (source.hasRemaining()) {
            int count = Math.min(source.remaining(), STEP);
            source.get(input, 0, count);
            checksum.update(input, 0, count);
            length += count;
            holds = true;
            deflater.setInput(input, 0, count, false);
            deflate(JZlib.Z_NO_FLUSH);
        }
    }

    /** Brings out all that was written so far; does nothing where that is out already. */
    void flush() throws IOException {
        if (holds) {
            holds = false;
            deflate(JZlib.Z_SYNC_FLUSH);
        }
    }

    void finish() throws IOException {
        deflate(JZlib.Z_FINISH);
        deflater.end();
        byte[] trailer = new byte[8];
        for (int i = 0; i < 4; i++) {
            trailer[i] = (byte) (checksum.getValue() >>> (8 * i));
            trailer[4 + i] = (byte) (length >>> (8 * i));
        }
        sink.put(trailer, 0, trailer.length);
    }

    private void deflate(int flush) throws IOException {
        if (!begun) {
            begun = true;
            sink.put(HEADER, 0, HEADER.length);
        }
        do {
            deflater.setOutput(output, 0, output.length);
            int result = deflater.deflate(flush);
            if (result != JZlib.Z_OK
                    && result != JZlib.Z_STREAM_END
                    && result != JZlib.Z_BUF_ERROR) {
                throw new IllegalStateException("Deflater failed with " + result);
            }
            int count = output.length - deflater.getAvailOut();
            if (count > 0) {
                sink.put(output, 0, count);
            }
        } while (deflater.getAvailOut() == 0);
    }

    /** Where compressed bytes go. */
    @FunctionalInterface
    interface Sink {
        void put(byte[] bytes, int offset, int length) throws IOException;
    }
}
