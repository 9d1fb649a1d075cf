package dev.penstock.snapshot.column;

import dev.penstock.snapshot.memory.BinarySearch;
import dev.penstock.snapshot.memory.ByteStrings;

/**
 * Different values in order, as {@link KeyCodec} has them: strings of bytes whose unsigned order is that of the values.
 * A value's code is its place, from 0. Immutable, thread-safe.
 *
 * @param keys the values
 */
public record Dictionary(ByteStrings keys) {
    public int size() {
        return keys.size();
    }

    /** The least code of a key that is not less than this one; {@code size} where there is none. */
    int ceiling(byte[] key, int length) {
        return (int)
                BinarySearch.first(0, size(), code -> keys.compare((int) code, key, length) >= 0);
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
