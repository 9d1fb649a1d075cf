package dev.penstock.snapshot.memory;

/**
 * Numbers different longs from 0 on, in the order in which they first come: by hashing, and where they have few bits
 * and there are many of them by a table with a place for each. Not thread-safe.
 */
public final class LongDictionary {
    /** Keys that find a new place between two checks, which takes a few milliseconds at the most. */
    public static final int CHECKED_KEYS = 1 << 16;

    static final int FIRST_PLACES = 64;
    static final int FIRST_KEYS = 16;

    /** A table of so few places is made at once. */
    static final int FEW_BITS = 8;

    static final int MOST_DIRECT_BITS = 16;

    /** A table has at the most so many places for each key that there is when it is made. */
    private static final int SPARSE = 32;

    private final HeapReservation reservation;
    private final Runnable check;
    private final int bits;
    private boolean direct;
    private final SeededHash hash = SeededHash.random();
    private long[] keys = new long[FIRST_KEYS];
    private int[] places;
    private int shift = Long.SIZE - Integer.numberOfTrailingZeros(FIRST_PLACES);
    private int size;

    /**
     * @param bits that a key has at the most
     * @param reservation what it may take of the heap
     * @param check called now and then while it grows, to end that by an exception; it can't be used after that
     */
    public LongDictionary(int bits, HeapReservation reservation, Runnable check) {
        this.reservation = reservation;
        this.check = check;
        this.bits = bits;
        direct = bits <= FEW_BITS;
        places = reservation.grown(new int[0], direct ? 1 << bits : FIRST_PLACES);
    }

    /** Returns the number of a key, which is {@link #size} before, where it is a new one. */
    public int number(long key) {
        if (direct) {
            int number = places[(int) key] - 1;
            return number >= 0 ? number : add((int) key);
        }
        int mask = places.length - 1;
        int place = place(key);
        while (places[place] != 0) {
            int number = places[place] - 1;
            if (keys[number] == key) {
                return number;
            }
            place = (place + 1) & mask;
        }
        if (size == keys.length) {
            keys = reservation.grown(keys, size * 2L);
        }
        keys[size++] = key;
        places[place] = size;
        if (bits <= MOST_DIRECT_BITS && size * SPARSE >= 1 << bits) {
            becomeDirect();
        } else if (size > places.length / 2) {
            grow();
        }
        return size - 1;
    }

    /** Gives the numbers of the first {@code count} of some keys, one after the other. */
    public void numbers(long[] some, int count, int[] numbers) {
        if (direct) {
            int[] table = places;
            for (int i = 0; i < count; i++) {
                int number = table[(int) some[i]] - 1;
                numbers[i] = number >= 0 ? number : add((int) some[i]);
            }
            return;
        }
        for (int i = 0; i < count; i++) {
            numbers[i] = number(some[i]);
        }
    }

    private int place(long key) {
        return (int) (hash.of(key) >>> shift);
    }

    /** Returns how many keys have a number. */
    public int size() {
        return size;
    }

    /** Returns how many places are looked at until every key is found again. */
    long probes() {
        if (direct) {
            return size;
        }
        long probes = 0;
        for (int number = 0; number < size; number++) {
            int place = place(keys[number]);
            for (probes++; places[place] != number + 1; probes++) {
                place = (place + 1) & (places.length - 1);
            }
        }
        return probes;
    }

    private int add(int key) {
        places[key] = ++size;
        return size - 1;
    }

    private void becomeDirect() {
        reservation.giveBack((long) places.length * Integer.BYTES);
        places = reservation.grown(new int[0], 1 << bits);
        for (int number = 0; number < size; number++) {
            places[(int) keys[number]] = number + 1;
        }
        direct = true;
    }

    private void grow() {
        shift--;
        int more = Math.multiplyExact(places.length, 2);
        reservation.giveBack((long) places.length * Integer.BYTES);
        places = reservation.grown(new int[0], more);
        int mask = places.length - 1;
        for (int number = 0; number < size; number++) {
            if (number % CHECKED_KEYS == 0) {
                check.run();
            }
            int place = place(keys[number]);
            while (places[place] != 0) {
                place = (place + 1) & mask;
            }
            places[place] = number + 1;
        }
    }
}
