package dev.penstock.snapshot.memory;

/** The purpose that memory is taken for. */
enum MemoryUse {
    /** A version, which has to be had: whatever can be freed for it is. */
    VERSION,

    /** A query, which needs memory for a while. */
    QUERY,

    /** An index, which can be done without. */
    INDEX
}
