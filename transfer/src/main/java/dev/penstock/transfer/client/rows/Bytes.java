package dev.penstock.transfer.client.rows;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Bytes that are added one after the other, in an array that grows and is used again. */
final class Bytes {
    private static final int KEPT = 64 * 1024;

    private byte[] array = new byte[256];
    private int length;

    void add(byte[] from, int offset, int count) {
        if (length + count > array.length) {
            array =
                    Arrays.copyOf(
                            array, Math.max(length + count, Math.min(array.length * 2, 1 << 28)));
        }
        System.arraycopy(from, offset, array, length, count);
        length += count;
    }

    void clear() {
        length = 0;
        if (array.length > KEPT) {
            array = new byte[256];
        }
    }

    int length() {
        return length;
    }

    byte at(int index) {
        return array[index];
    }

    byte[] copy() {
        return Arrays.copyOf(array, length);
    }

    ByteBuffer buffer() {
        return ByteBuffer.wrap(array, 0, length);
    }
}
