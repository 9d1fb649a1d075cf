package dev.penstock.snapshot.column;

import dev.penstock.snapshot.memory.BinarySearch;
import dev.penstock.snapshot.memory.ByteStrings;
import java.util.Arrays;

/**
 * A list of different values in order, as {@link KeyCodec} has them: strings of bytes whose unsigned order is that of
 * the values. A value's code is its place, from 0. Immutable, thread-safe.
 *
 * @param keys the values
 */
public record Dictionary(ByteStrings keys) {
    public int size() {
        return keys.size();
    }

    /**
     * Returns the least code of a key that is not less than this one; {@code size} where there is none.
     */
    int ceiling(byte[] key, int length) {
        return (int)
                BinarySearch.first(0, size(), code -> keys.compare((int) code, key, length) >= 0);
    }

    /**
     * Returns the code of a key; -1 where it is not listed.
     */
    public int code(byte[] key) {
        int code = ceiling(key, key.length);
        return code < size() && keys.compare(code, key, key.length) == 0 ? code : -1;
    }

    /**
     * Returns the codes of all keys that begin with these bytes.
     */
    public CodeRange startingWith(byte[] prefix) {
        int first = ceiling(prefix, prefix.length);
        byte[] after = KeyBytes.prefixSuccessor(prefix);
        int end = after == null ? size() : ceiling(after, after.length);
        return CodeRange.of(first, (long) end - 1);
    }

    /**
     * Returns the codes of the keys that are the same as one as far as equal values are.
     *
     * @param common so many of its bytes the keys of equal values begin with
     */
    CodeRange equalTo(byte[] key, int common) {
        if (common < key.length) {
            return startingWith(Arrays.copyOf(key, common));
        }
        int code = code(key);
        return code < 0 ? CodeRange.NONE : CodeRange.of(code, code);
    }

    /**
     * Returns how many bytes it takes outside the heap.
     */
    long bytes() {
        return keys.memory();
    }
}
