package dev.penstock.snapshot;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** Gives each different key a number, in the order in which they come: a hash table outside the heap. Not thread-safe. */
final class DifferentKeys {
    private static final VarHandle LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final long FACTOR = 0x9E37_79B9_7F4A_7C15L;
    private static final int FIRST_SLOTS = 64;

    private final SegmentAllocator scratch;
    private final ByteStringsBuilder keys;

    /** So that nobody can choose keys that all meet in one place. */
    private final long seed = ThreadLocalRandom.current().nextLong();

    /** In each slot the upper half of the hash, and a number plus 1 below it; 0 where it is free. */
    private MemorySegment table;

    private int slots = FIRST_SLOTS;

    DifferentKeys(SegmentAllocator scratch) {
        this.scratch = scratch;
        keys = new ByteStringsBuilder(scratch);
        table = scratch.allocate((long) slots * Long.BYTES, Long.BYTES);
    }

    int size() {
        return keys.size();
    }

    /** Bytes of all keys. */
    long total() {
        return keys.total();
    }

    int length(int number) {
        return keys.length(number);
    }

    /** Copies a key to {@code to}, which has room for it. */
    void copy(int number, byte[] to) {
        keys.copy(number, to);
    }

    /** The number of a key, a new one if it is new. */
    int number(byte[] key, int offset, int length) {
        long hash = hash(seed, key, offset, length);
        long mark = hash & 0xFFFF_FFFF_0000_0000L;
        int mask = slots - 1;
        int slot = (int) hash & mask;
        while (true) {
            long found = table.getAtIndex(ValueLayout.JAVA_LONG, slot);
            if (found == 0) {
                break;
            }
            int number = (int) found - 1;
            if ((found & 0xFFFF_FFFF_0000_0000L) == mark
                    && keys.equals(number, key, offset, length)) {
                return number;
            }
            slot = (slot + 1) & mask;
        }
        int number = keys.size();
        keys.add(key, offset, length);
        table.setAtIndex(ValueLayout.JAVA_LONG, slot, mark | (number + 1L));
        if (number > slots / 2) {
            rehash();
        }
        return number;
    }

    private void rehash() {
        slots *= 4;
        table = scratch.allocate((long) slots * Long.BYTES, Long.BYTES);
        int mask = slots - 1;
        byte[] buffer = new byte[64];
        for (int number = 0; number < keys.size(); number++) {
            int length = keys.length(number);
            buffer = length <= buffer.length ? buffer : new byte[length * 2];
            keys.copy(number, buffer);
            long hash = hash(seed, buffer, 0, length);
            int slot = (int) hash & mask;
            while (table.getAtIndex(ValueLayout.JAVA_LONG, slot) != 0) {
                slot = (slot + 1) & mask;
            }
            table.setAtIndex(
                    ValueLayout.JAVA_LONG, slot, (hash & 0xFFFF_FFFF_0000_0000L) | (number + 1L));
        }
    }

    static long hash(long seed, byte[] key, int offset, int length) {
        long hash = seed + length;
        int i = 0;
        for (; i + Long.BYTES <= length; i += Long.BYTES) {
            hash = mix(hash ^ (long) LONG.get(key, offset + i));
        }
        long rest = 0;
        for (; i < length; i++) {
            rest = rest << Byte.SIZE | Byte.toUnsignedInt(key[offset + i]);
        }
        return mix(mix(hash ^ rest));
    }

    private static long mix(long value) {
        long product = value * FACTOR;
        return product ^ (product >>> 29);
    }

    /** The numbers of all keys, in the order of these. */
    Longs sorted() {
        ByteStrings unsorted = keys.build(scratch, null);
        return Permutation.sorted(scratch, size(), unsorted::compare);
    }

    /** The keys themselves, in an order. */
    ByteStrings build(Memory memory, @Nullable Longs order) {
        return keys.build(memory, order);
    }
}
