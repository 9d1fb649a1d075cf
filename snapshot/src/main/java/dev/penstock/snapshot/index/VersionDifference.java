package dev.penstock.snapshot.index;

import dev.penstock.snapshot.column.RowChanges;
import dev.penstock.snapshot.memory.Longs;

/**
 * The difference between the rows of a table and those of the version before.
 *
 * @param changes the rows that are kept, and those that have changed
 * @param now where the rows of the version before are; negative where they are gone
 */
record VersionDifference(RowChanges changes, Longs now) {}
