package dev.penstock.films.store;

/**
 * Random numbers without state: a number depends on the seed, the table, the row and which of the row's throws it is.
 * So any row can be made by itself, and a rental's payment knows the rental.
 */
record Dice(long seed) {
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;
    private static final long THROWS = 0xD1B54A32D192ED03L;

    /** Larger than any table here and prime, so that it shares no factor with a count. */
    private static final long STRIDE = 2_147_483_647L;

    /** The dice of one table. */
    static Dice of(long seed, String table) {
        return new Dice(mixed(seed + GOLDEN * table.hashCode()));
    }

    /** Stafford's finaliser, variant 13. */
    private static long mixed(long value) {
        long mixed = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return mixed ^ (mixed >>> 31);
    }

    /** From 0 to {@code bound - 1}. */
    int below(int bound, long row, int which) {
        long random = mixed(seed + GOLDEN * row + THROWS * which);
        return (int) Math.unsignedMultiplyHigh(random, bound);
    }

    /** One of some texts. */
    String pick(String[] texts, long row, int which) {
        return texts[below(texts.length, row, which)];
    }

    /**
     * One of {@code slots} slots for each of {@code count} rows, rising with the row, and another one for each as long
     * as there are enough.
     *
     * @param row counted from 0
     */
    long slot(long row, long count, long slots, int which) {
        long first = row * slots / count;
        long next = (row + 1) * slots / count;
        return first + below((int) Math.max(1, next - first), row, which);
    }

    /** The place of a row in a shuffled order of so many; each place is one row's. Both are counted from 0. */
    long place(long row, long count, int which) {
        return (row * (STRIDE % count) + below((int) count, 0, which)) % count;
    }
}
