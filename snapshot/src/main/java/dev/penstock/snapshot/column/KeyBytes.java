package dev.penstock.snapshot.column;

import dev.penstock.snapshot.memory.Buffers;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that grow as they are written, big-endian so that their unsigned order is that of what was written. Not
 * thread-safe.
 */
public final class KeyBytes {
    private byte[] array = Buffers.first();
    private int length;

    KeyBytes clear() {
        length = 0;
        return this;
    }

    public byte[] array() {
        return array;
    }

    public int length() {
        return length;
    }

    byte[] toArray() {
        return Arrays.copyOf(array, length);
    }

    /** Makes room for more bytes and tells where they go. */
    int reservation(int more) {
        long wanted = (long) length + more;
        if (wanted > array.length) {
            array = Arrays.copyOf(array, Buffers.longer(wanted));
        }
        return length;
    }

    KeyBytes grow(int more) {
        length += more;
        return this;
    }

    KeyBytes add(int value) {
        // Before the array is named, which this may replace.
        int at = reservation(1);
        array[at] = (byte) value;
        length++;
        return this;
    }

    KeyBytes add(byte[] from, int offset, int count) {
        int at = reservation(count);
        System.arraycopy(from, offset, array, at, count);
        length += count;
        return this;
    }

    /** Writes a number of {@code bytes} bytes, signed. */
    KeyBytes number(long number, int bytes) {
        reservation(bytes);
        long biased = number + (1L << (bytes * Byte.SIZE - 1));
        for (int i = bytes - 1; i >= 0; i--) {
            array[length++] = (byte) (biased >>> (i * Byte.SIZE));
        }
        return this;
    }

    /** Reads what {@link #number} wrote. */
    static long number(byte[] from, int at, int bytes) {
        long biased = 0;
        for (int i = 0; i < bytes; i++) {
            biased = biased << Byte.SIZE | Byte.toUnsignedInt(from[at + i]);
        }
        return biased - (1L << (bytes * Byte.SIZE - 1));
    }

    /** Returns the least bytes that are greater than all that begin with a prefix; null where there are none. */
    public static byte @Nullable [] prefixSuccessor(byte[] prefix) {
        int length = prefix.length;
        while (length > 0 && prefix[length - 1] == -1) {
            length--;
        }
        if (length == 0) {
            return null;
        }
        byte[] successor = Arrays.copyOf(prefix, length);
        successor[length - 1]++;
        return successor;
    }
}
