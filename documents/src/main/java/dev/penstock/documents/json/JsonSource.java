package dev.penstock.documents.json;

import dev.penstock.documents.buffer.Scratch;
import java.io.InputStream;

/** The bytes of a JSON document that can be read from any place. */
interface JsonSource {
    /** Reads some bytes from a position on; returns how many, or -1 at the end. */
    int read(long position, byte[] bytes, int offset, int count);

    long size();

    /** Returns the bytes from a position on, after some others. */
    default InputStream from(long position, byte[] before) {
        return new Stream(this, position, before);
    }

    /** A document in memory. */
    final class InMemory implements JsonSource {
        private final byte[] bytes;
        private final int length;

        InMemory(byte[] bytes, int length) {
            this.bytes = bytes;
            this.length = length;
        }

        @Override
        public int read(long position, byte[] target, int offset, int count) {
            if (position >= length) {
                return -1;
            }
            int read = (int) Math.min(count, length - position);
            System.arraycopy(bytes, (int) position, target, offset, read);
            return read;
        }

        @Override
        public long size() {
            return length;
        }
    }

    /** A document in the temporary file. */
    record InFile(Scratch scratch, long size) implements JsonSource {
        @Override
        public int read(long position, byte[] target, int offset, int count) {
            return scratch.read(position, target, offset, count);
        }
    }

    /** A reader of a source, in order. */
    final class Stream extends InputStream {
        private final JsonSource source;
        private final byte[] before;
        private int beforeDone;
        private long position;

        Stream(JsonSource source, long position, byte[] before) {
            this.source = source;
            this.position = position;
            this.before = before;
        }

        @Override
        public int read() {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] bytes, int offset, int count) {
            if (beforeDone < before.length && count > 0) {
                bytes[offset] = before[beforeDone++];
                return 1;
            }
            int read = source.read(position, bytes, offset, count);
            position += Math.max(0, read);
            return read;
        }
    }
}
