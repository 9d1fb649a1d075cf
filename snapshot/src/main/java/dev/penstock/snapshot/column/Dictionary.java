package dev.penstock.snapshot.column;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.penstock.snapshot.memory.BinarySearch;
import dev.penstock.snapshot.memory.ByteStrings;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A list of different values in order, as {@link KeyCodec} has them: strings of bytes whose unsigned order is that of
 * the values. A value's code is its place, from 0. Immutable, thread-safe.
 */
public final class Dictionary {
    /** So many texts, of so many bytes together, are kept as strings. */
    private static final int FEW = 256;

    private static final int FEW_BYTES = 1 << 14;

    private final ByteStrings keys;

    /** Those that were read, made by whoever came first; null before, and where they are too many. */
    private @Nullable String @Nullable [] texts;

    /**
     * @param keys the values
     */
    public Dictionary(ByteStrings keys) {
        this.keys = keys;
    }

    public ByteStrings keys() {
        return keys;
    }

    /** Returns whether {@link #text} keeps what it makes. */
    boolean isSmall() {
        return size() <= FEW && keys.bytes().byteSize() <= FEW_BYTES;
    }

    /**
     * Returns a value that is a text, of a {@linkplain #isSmall small} list. Threads that come at the same time may
     * make it twice, which are equal.
     */
    String text(int code) {
        @Nullable String[] all = texts;
        if (all == null) {
            all = new String[size()];
            texts = all;
        }
        String known = all[code];
        if (known == null) {
            known = new String(keys.get(code), UTF_8);
            all[code] = known;
        }
        return known;
    }

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

    /** Returns whether another list has its values at the same place in memory. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Dictionary list && keys.equals(list.keys);
    }

    @Override
    public int hashCode() {
        return keys.hashCode();
    }
}
