package dev.penstock.snapshot;

import org.jspecify.annotations.Nullable;

/** The tables of the newest version for shortcuts, few steps away from whoever asks. Thread-safe. */
final class NearTables {
    private volatile NearColumns @Nullable [] tables;

    /**
     * @param tables of a version, by their places; null where there is none
     */
    NearTables(NearColumns @Nullable [] tables) {
        this.tables = tables;
    }

    /** Those of the version that is the newest now; null where there is none. */
    NearColumns @Nullable [] newest() {
        return tables;
    }

    /** Has the tables of another version from now on, or after {@code null} none. */
    void set(NearColumns @Nullable [] next) {
        tables = next;
    }

    /**
     * A table.
     *
     * @throws IllegalStateException if the snapshot is closed
     */
    NearColumns table(int place) {
        NearColumns[] newest = tables;
        if (newest == null) {
            throw new IllegalStateException("the snapshot is closed");
        }
        return newest[place];
    }
}
