package dev.penstock.snapshot.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;

/**
 * A hash table outside the heap that gives each different key a number, in the order in which they come. Not
 * thread-safe.
 */
public final class DistinctKeys {
    static final int FIRST_SLOTS = 64;

    /** The half of a slot that is the upper half of the hash. */
    private static final long MARK = 0xFFFF_FFFF_0000_0000L;

    private final SegmentAllocator scratch;
    private final ByteStringsBuilder keys;

    private final SeededHash hash = SeededHash.random();

    /** In each slot the upper half of the hash, and a number plus 1 below it; 0 where it is free. */
    private MemorySegment table;

    private long slots = FIRST_SLOTS;

    public DistinctKeys(SegmentAllocator scratch) {
        this.scratch = scratch;
        keys = new ByteStringsBuilder(scratch);
        table = scratch.allocate(slots * Long.BYTES, Long.BYTES);
    }

    /** Returns the keys by their numbers; only to be read. */
    public ByteStringsBuilder keys() {
        return keys;
    }

    /** Returns the number of a key, a new one if it is new. */
    public int number(byte[] key, int offset, int length) {
        long hashed = hash.of(key, offset, length);
        long mark = hashed & MARK;
        long mask = slots - 1;
        long slot = hashed & mask;
        while (true) {
            long found = table.getAtIndex(ValueLayout.JAVA_LONG, slot);
            if (found == 0) {
                break;
            }
            int number = (int) found - 1;
            if ((found & MARK) == mark && keys.equals(number, key, offset, length)) {
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
        table = scratch.allocate(slots * Long.BYTES, Long.BYTES);
        long mask = slots - 1;
        for (int number = 0; number < keys.size(); number++) {
            long hashed = hash.of(keys.read(number, 0), 0, keys.length(number));
            long slot = hashed & mask;
            while (table.getAtIndex(ValueLayout.JAVA_LONG, slot) != 0) {
                slot = (slot + 1) & mask;
            }
            table.setAtIndex(ValueLayout.JAVA_LONG, slot, (hashed & MARK) | (number + 1L));
        }
    }

    /** Returns how many slots are looked at until every key is found again. */
    long probes() {
        long probes = 0;
        for (int number = 0; number < keys.size(); number++) {
            long slot = hash.of(keys.read(number, 0), 0, keys.length(number)) & (slots - 1);
            probes++;
            while ((int) table.getAtIndex(ValueLayout.JAVA_LONG, slot) != number + 1) {
                slot = (slot + 1) & (slots - 1);
                probes++;
            }
        }
        return probes;
    }

    /** Returns the numbers of all keys, in the order of these. */
    public Longs sorted() {
        ByteStrings unsorted = keys.build(scratch, null);
        return Permutation.sorted(scratch, keys.size(), unsorted::compare);
    }
}
