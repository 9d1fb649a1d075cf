package dev.penstock.bench.sums;

/** A store of readings that is asked. For one thread. */
interface ReadingStore {
    /** Returns the answer; groups as a map in the order of its keys, of a {@link Group} each. */
    Object answer(SumsQuestion question) throws Exception;

    /** Returns how many bytes the readings take. */
    long bytes() throws Exception;

    /**
     * The readings of a group.
     *
     * @param readings how many
     * @param sum of what was asked for
     */
    record Group(long readings, double sum) {}
}
