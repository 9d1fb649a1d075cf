package dev.penstock.transfer.stream;

import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.Random;

/** Bytes that come in pieces of random lengths, and what notes whether it was closed. */
final class Pieces {
    /** Lengths on both sides of the buffers that there are anywhere. */
    static final int[] LENGTHS = {
        0, 1, 2, 127, 128, 129, 4095, 4096, 4097, 8191, 8192, 8193, 16_383, 16_384, 16_385, 32_767,
        32_768, 32_769, 65_535, 65_536, 65_537, 524_287, 524_288, 524_289
    };

    private Pieces() {}

    static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    /** A stream that returns fewer bytes than it is asked for. */
    static final class Stream extends FilterInputStream {
        private final Random random;
        long taken;
        int closed;

        Stream(byte[] bytes, long seed) {
            this(new ByteArrayInputStream(bytes), seed);
        }

        Stream(InputStream in, long seed) {
            super(in);
            random = new Random(seed);
        }

        @Override
        public int read() throws IOException {
            int value = super.read();
            taken += value < 0 ? 0 : 1;
            return value;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            int most = length == 0 ? 0 : 1 + random.nextInt(length);
            int count = super.read(target, offset, most);
            taken += Math.max(0, count);
            return count;
        }

        @Override
        public void close() throws IOException {
            closed++;
            super.close();
        }
    }

    /** A channel that returns fewer bytes than there is room for. */
    static ReadableByteChannel channel(byte[] bytes, long seed) {
        Random random = new Random(seed);
        ByteBuffer rest = ByteBuffer.wrap(bytes);
        return new ReadableByteChannel() {
            private boolean closed;

            @Override
            public int read(ByteBuffer target) {
                if (!rest.hasRemaining()) {
                    return -1;
                }
                int most = Math.min(rest.remaining(), target.remaining());
                int count = most == 0 ? 0 : 1 + random.nextInt(most);
                target.put(rest.slice(rest.position(), count));
                rest.position(rest.position() + count);
                return count;
            }

            @Override
            public boolean isOpen() {
                return !closed;
            }

            @Override
            public void close() {
                closed = true;
            }
        };
    }

    /** Reads all of a stream, by all ways to read it, in pieces of random lengths. */
    static byte[] readAll(InputStream in, long seed) throws IOException {
        Random random = new Random(seed);
        java.io.ByteArrayOutputStream all = new java.io.ByteArrayOutputStream();
        byte[] buffer = new byte[70_000];
        while (true) {
            if (random.nextInt(8) == 0) {
                int value = in.read();
                if (value < 0) {
                    return all.toByteArray();
                }
                all.write(value);
            } else if (random.nextInt(50) == 0) {
                in.transferTo(all);
                return all.toByteArray();
            } else {
                int offset = random.nextInt(100);
                int length = random.nextInt(buffer.length - offset);
                int count = in.read(buffer, offset, length);
                if (count < 0) {
                    return all.toByteArray();
                }
                all.write(buffer, offset, count);
            }
        }
    }

    /** Reads all of a channel, in pieces of random lengths. */
    static byte[] readAll(ReadableByteChannel channel, long seed) throws IOException {
        Random random = new Random(seed);
        java.io.ByteArrayOutputStream all = new java.io.ByteArrayOutputStream();
        byte[] bytes = new byte[70_000];
        while (true) {
            ByteBuffer target = ByteBuffer.wrap(bytes);
            target.position(random.nextInt(100)).limit(100 + random.nextInt(69_900));
            int start = target.position();
            int limit = target.limit();
            int count = channel.read(target);
            if (count < 0) {
                return all.toByteArray();
            }
            if (target.position() != start + count || target.limit() != limit) {
                throw new AssertionError("The buffer's position or limit is wrong: " + target);
            }
            all.write(bytes, start, count);
        }
    }

    /** Writes all bytes, in pieces of random lengths. */
    static void writeAll(byte[] bytes, OutputStream out, long seed) throws IOException {
        Random random = new Random(seed);
        for (int at = 0; at < bytes.length; ) {
            int count = Math.min(bytes.length - at, random.nextInt(70_000));
            if (count == 1) {
                out.write(bytes[at]);
            } else {
                out.write(bytes, at, count);
            }
            at += count;
        }
    }
}
