package dev.penstock.snapshot.memory;

/** The purpose that memory is taken for. */
enum MemoryUse {
    /** What has to be had: whatever can be freed for it is. */
    VERSION,

    /** What a query needs meanwhile. */
    QUERY,

    /** What can be done without. */
    INDEX
}
