package dev.penstock.films.store;

/**
 * The numbers of rows of the tables.
 *
 * @param films 1,000 at scale 1; never fewer than the three films that are named
 */
record Counts(
        long films,
        long longFilms,
        long actors,
        long cities,
        long addresses,
        long stores,
        long customers,
        long inventory,
        long rentals,
        long payments) {
    /** The most that whole numbers of 32 bits can count. */
    private static final double MAX_SCALE = 100_000;

    /** The counts of Sakila at scale 1, and in proportion at any other. */
    static Counts of(double scale) {
        if (!(scale > 0) || scale > MAX_SCALE) {
            throw new IllegalArgumentException(
                    "a film store of scale "
                            + scale
                            + ": more than 0 and at most 100000 is possible; scale 1 has 1,000 films");
        }
        long films = Math.max(FilmTables.FIRST.size(), Math.round(1000 * scale));
        long stores = Math.max(2, Math.round(2 * scale));
        long customers = Math.max(1, Math.round(599 * scale));
        long rentals = Math.max(1, Math.round(16_044 * scale));
        return new Counts(
                films,
                Math.max(1, Math.round(896 * scale)),
                Math.max(1, Math.round(200 * scale)),
                600,
                customers + 2 * stores,
                stores,
                customers,
                Math.max(1, Math.round(4581 * scale)),
                rentals,
                rentals + Math.round(5 * scale));
    }
}
