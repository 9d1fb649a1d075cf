package dev.penstock.snapshot.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;

/**
 * A hash function that is chosen at random, so that nobody outside can choose values that meet in one place of a table.
 * Each table has its own. Immutable, thread-safe.
 *
 * <p>A number is multiplied by a secret odd one, to 128 bits, of which the halves are put together. A seed alone is not
 * enough: where the multiplier is known, two numbers that differ in the highest bit alone have products that do so too,
 * whatever was added or mixed in before, and what follows in a longer key can undo that; then each two words more of a
 * key make twice as many keys of the same hash.
 *
 * @param seed any number
 * @param multiplier an odd number
 */
public record SeededHash(long seed, long multiplier) {
    private static final VarHandle LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

    public SeededHash {
        if ((multiplier & 1) == 0) {
            throw new IllegalArgumentException("a multiplier that is even: " + multiplier);
        }
    }

    /** Returns another function each time. */
    public static SeededHash random() {
        return of(ThreadLocalRandom.current());
    }

    public static SeededHash of(RandomGenerator random) {
        return new SeededHash(random.nextLong(), random.nextLong() | 1);
    }

    /** Returns the hash of a number, each of whose bits depends on all of the number's. */
    public long of(long number) {
        // Once would leave numbers at equal distances, under one multiplier in some hundred, close
        // together.
        return fold(fold(number ^ seed) ^ seed);
    }

    /** Returns the hash of some bytes. */
    public long of(byte[] bytes, int offset, int length) {
        long hash = seed + length;
        int i = 0;
        for (; i + Long.BYTES <= length; i += Long.BYTES) {
            hash = fold(hash ^ (long) LONG.get(bytes, offset + i));
        }
        long rest = 0;
        for (; i < length; i++) {
            rest = rest << Byte.SIZE | Byte.toUnsignedInt(bytes[offset + i]);
        }
        return fold(fold(hash ^ rest) ^ seed);
    }

    private long fold(long number) {
        return Math.unsignedMultiplyHigh(number, multiplier) ^ (number * multiplier);
    }
}
