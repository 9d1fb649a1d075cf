package dev.penstock.snapshot.column;

import static java.util.Objects.requireNonNull;

import dev.penstock.snapshot.memory.ByteStrings;

/**
 * Different values in order, as {@link KeyCodec} has them: strings of bytes whose unsigned order is that of the values.
 * A value's code is its place, from 0. Immutable, thread-safe.
 *
 * @param keys the values
 */
public record Dictionary(ByteStrings keys) {
    public Dictionary {
        requireNonNull(keys);
    }

    public int size() {
        return keys.size();
    }

    /** The least code of a key that is not less than this one; {@code size} where there is none. */
    int ceiling(byte[] key, int length) {
        int low = 0;
        int high = size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (keys.compare(middle, key, length) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** The codes of all keys that begin with these bytes. */
    public CodeRange startingWith(byte[] prefix) {
        int first = ceiling(prefix, prefix.length);
        byte[] after = KeyBytes.prefixSuccessor(prefix);
        int end = after == null ? size() : ceiling(after, after.length);
        return CodeRange.of(first, (long) end - 1);
    }

    /** Bytes outside the heap. */
    long bytes() {
        return keys.memory();
    }
}
