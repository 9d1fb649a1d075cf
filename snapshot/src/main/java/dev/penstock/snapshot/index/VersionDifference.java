package dev.penstock.snapshot.index;

import dev.penstock.snapshot.column.RowChanges;
import dev.penstock.snapshot.memory.Longs;
import dev.penstock.snapshot.memory.Memory;
import org.jspecify.annotations.Nullable;

/** The difference between the rows of a table and those of the version before. Thread-safe. */
final class VersionDifference {
    private final RowChanges changes;
    private final Memory.Scratch scratch;
    private @Nullable Longs now;

    /**
     * @param changes the rows that are kept, and those that have changed
     * @param scratch the memory for what is needed until the indexes are built
     */
    VersionDifference(RowChanges changes, Memory.Scratch scratch) {
        this.changes = changes;
        this.scratch = scratch;
    }

    RowChanges changes() {
        return changes;
    }

    /**
     * Returns where the rows of the version before are now; negative where they are gone.
     *
     * @throws dev.penstock.query.QueryException of kind {@code MEMORY_LIMIT} if there is too little
     */
    synchronized Longs now() {
        if (now == null) {
            now = changes.rowsNow(scratch);
        }
        return now;
    }
}
