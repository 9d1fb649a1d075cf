package dev.penstock.snapshot.column;

import dev.penstock.snapshot.memory.SeededHash;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * An index of tokens that finds the longest one that a text goes on with. Tokens of up to eight bytes are in a hash
 * table by themselves; longer ones in lists, the longest first, by their first eight bytes. While tokens are added it
 * is used by one thread, and by any number after that.
 */
public final class TokenMatcher {
    private static final VarHandle LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int SLOT_BITS = 18;
    private static final int SLOTS = 1 << SLOT_BITS;
    private static final int SINGLE = 256;

    /** Tokens with the same first eight bytes that are looked at before a shorter one is taken. */
    private static final int LONGEST_LIST = 64;

    private final SeededHash hash = SeededHash.random();
    private final byte[] bytes = new byte[Tokens.MOST * Tokens.LONGEST];
    private final byte[] lengths = new byte[Tokens.MOST];
    private int size = SINGLE;

    /** The longest token that begins with two bytes. */
    private final byte[] most = new byte[1 << Short.SIZE];

    private final long[] shortKeys = new long[SLOTS];
    private final int[] shortCodes = new int[SLOTS];

    /**
     * By hash of the first eight bytes: the first of a list of tokens; those with other such bytes are skipped by going
     * on to the next slot.
     */
    private final int[] heads = new int[SLOTS];

    private final long[] tails = new long[Tokens.MOST];
    private final int[] next = new int[Tokens.MOST];

    public TokenMatcher() {
        Arrays.fill(shortCodes, -1);
        Arrays.fill(heads, -1);
        for (int i = 0; i < SINGLE; i++) {
            bytes[i * Tokens.LONGEST] = (byte) i;
            lengths[i] = 1;
        }
    }

    /** Returns an index of tokens that are known, each under its code. */
    public static TokenMatcher of(Tokens tokens) {
        TokenMatcher all = new TokenMatcher();
        byte[] token = new byte[2 * Tokens.LONGEST];
        for (int code = SINGLE; code < tokens.size(); code++) {
            MemorySegment.copy(
                    tokens.bytes(),
                    ValueLayout.JAVA_BYTE,
                    (long) code * Tokens.LONGEST,
                    token,
                    0,
                    Tokens.LONGEST);
            int added = all.add(token, 0, tokens.lengths().get(ValueLayout.JAVA_BYTE, code));
            if (added != code) {
                throw new IllegalStateException("token " + code + " is added as " + added);
            }
        }
        return all;
    }

    int size() {
        return size;
    }

    int length(int code) {
        return lengths[code];
    }

    byte[] bytes() {
        return bytes;
    }

    byte[] lengths() {
        return lengths;
    }

    /** Returns whether another token of that length can be added. */
    boolean hasRoom(int length) {
        return size < Tokens.MOST && length <= Tokens.LONGEST;
    }

    private int slot(long key) {
        return (int) (hash.of(key) >>> (Long.SIZE - SLOT_BITS));
    }

    /** Returns how many slots are looked at until every token of up to eight bytes is found again. */
    public long probes() {
        long probes = 0;
        for (int code = SINGLE; code < size; code++) {
            if (lengths[code] <= Long.BYTES) {
                long key = low((long) LONG.get(bytes, code * Tokens.LONGEST), lengths[code]);
                int slot = slot(key + lengths[code]);
                for (probes++; shortCodes[slot] != code; probes++) {
                    slot = (slot + 1) & (SLOTS - 1);
                }
            }
        }
        return probes;
    }

    private static long low(long word, int count) {
        return count == Long.BYTES ? word : word & ((1L << (count * Byte.SIZE)) - 1);
    }

    private static int pair(long word) {
        return (int) word & 0xFFFF;
    }

    /**
     * Adds a token of at least two bytes, after which {@code text} has eight more; gives its code, or -1 where its list
     * is full.
     */
    public int add(byte[] text, int at, int length) {
        long head = (long) LONG.get(text, at);
        int code = size;
        if (length <= Long.BYTES) {
            long key = low(head, length);
            int slot = slot(key + length);
            while (shortCodes[slot] >= 0) {
                slot = (slot + 1) & (SLOTS - 1);
            }
            shortKeys[slot] = key;
            shortCodes[slot] = code;
        } else if (!link(
                head,
                low((long) LONG.get(text, at + Long.BYTES), length - Long.BYTES),
                length,
                code)) {
            return -1;
        }
        size++;
        System.arraycopy(text, at, bytes, code * Tokens.LONGEST, length);
        lengths[code] = (byte) length;
        most[pair(head)] = (byte) Math.max(most[pair(head)], length);
        return code;
    }

    private boolean link(long head, long tail, int length, int code) {
        int slot = listOf(head);
        int before = -1;
        int after = heads[slot];
        int listed = 0;
        for (int each = after; each >= 0; each = next[each]) {
            listed++;
        }
        if (listed >= LONGEST_LIST) {
            return false;
        }
        while (after >= 0 && lengths[after] >= length) {
            before = after;
            after = next[after];
        }
        tails[code] = tail;
        next[code] = after;
        if (before < 0) {
            heads[slot] = code;
        } else {
            next[before] = code;
        }
        return true;
    }

    /** Returns the slot of the list for tokens that begin with these eight bytes, or the free one where it goes. */
    private int listOf(long head) {
        int slot = slot(head);
        while (heads[slot] >= 0 && (long) LONG.get(bytes, heads[slot] * Tokens.LONGEST) != head) {
            slot = (slot + 1) & (SLOTS - 1);
        }
        return slot;
    }

    /**
     * Returns the code of the longest token that the text goes on with; there always is one.
     *
     * @param text has sixteen bytes more than it ends
     * @param available how many bytes of it are left: at least one
     */
    int longest(byte[] text, int at, int available) {
        long head = (long) LONG.get(text, at);
        int limit = Math.min(available, most[pair(head)]);
        if (limit > Long.BYTES) {
            long tail = (long) LONG.get(text, at + Long.BYTES);
            for (int code = heads[listOf(head)]; code >= 0; code = next[code]) {
                int length = lengths[code];
                if (length <= limit && low(tail, length - Long.BYTES) == tails[code]) {
                    return code;
                }
            }
        }
        for (int length = Math.min(limit, Long.BYTES); length > 1; length--) {
            long key = low(head, length);
            int slot = slot(key + length);
            while (shortCodes[slot] >= 0) {
                int code = shortCodes[slot];
                if (shortKeys[slot] == key && lengths[code] == length) {
                    return code;
                }
                slot = (slot + 1) & (SLOTS - 1);
            }
        }
        return Byte.toUnsignedInt(text[at]);
    }
}
