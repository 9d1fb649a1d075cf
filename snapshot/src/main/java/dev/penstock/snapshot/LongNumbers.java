package dev.penstock.snapshot;

/** Numbers different longs from 0 on, in the order in which they first come: by hashing, and where they have few bits and there are many of them by a table with a place for each. Not thread-safe. */
final class LongNumbers {
    /** The golden ratio as a fraction of 2 to the 64, which spreads neighbours. */
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    /** A table of so few places is made at once. */
    private static final int FEW_BITS = 8;

    private static final int MOST_DIRECT_BITS = 16;

    /** A table has at the most so many places for each key that there is when it is made. */
    private static final int SPARSE = 32;

    private final Room room;
    private final int bits;
    private boolean direct;
    private long[] keys = new long[16];
    private int[] places;
    private int shift = Long.SIZE - 6;
    private int size;

    /**
     * @param bits that a key has at the most
     * @param room what it may take of the heap
     */
    LongNumbers(int bits, Room room) {
        this.room = room;
        this.bits = bits;
        direct = bits <= FEW_BITS;
        places = room.grown(new int[0], direct ? 1 << bits : 64);
    }

    /** The number of a key, which is {@link #size} before, where it is a new one. */
    int number(long key) {
        if (direct) {
            int number = places[(int) key] - 1;
            return number >= 0 ? number : add((int) key);
        }
        int mask = places.length - 1;
        int place = (int) ((key * SPREAD) >>> shift);
        while (places[place] != 0) {
            int number = places[place] - 1;
            if (keys[number] == key) {
                return number;
            }
            place = (place + 1) & mask;
        }
        if (size == keys.length) {
            keys = room.grown(keys, size * 2L);
        }
        keys[size++] = key;
        places[place] = size;
        if (bits <= MOST_DIRECT_BITS && size * SPARSE >= 1 << bits) {
            becomeDirect();
        } else if (size * 2 > places.length) {
            grow();
        }
        return size - 1;
    }

    private int add(int key) {
        places[key] = ++size;
        return size - 1;
    }

    private void becomeDirect() {
        room.giveBack((long) places.length * Integer.BYTES);
        places = room.grown(new int[0], 1 << bits);
        for (int number = 0; number < size; number++) {
            places[(int) keys[number]] = number + 1;
        }
        direct = true;
    }

    private void grow() {
        shift--;
        int more = places.length * 2;
        room.giveBack((long) places.length * Integer.BYTES);
        places = room.grown(new int[0], more);
        int mask = places.length - 1;
        for (int number = 0; number < size; number++) {
            int place = (int) ((keys[number] * SPREAD) >>> shift);
            while (places[place] != 0) {
                place = (place + 1) & mask;
            }
            places[place] = number + 1;
        }
    }
}
