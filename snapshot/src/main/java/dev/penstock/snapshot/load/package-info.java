/**
 * Copying tables of a database into memory, as they are at one moment.
 *
 * <p>A {@code TableLoader} opens a consistent view over several connections, has each {@code TableLoad} (a whole table,
 * the rows that changed, those of certain keys, or all keys) read in parts, and gives stored tables. {@code TableMerge}
 * makes the next version of a table of the last one and of what has changed. A {@code LoadContext} lives as long as one
 * loading: it limits the rate, tells the listener, and stops everything.
 *
 * <p>Invariants: all tables of a version are as of one moment; a loading that fails leaves nothing behind. Begin with
 * {@code TableLoader.load}.
 */
@NullMarked
package dev.penstock.snapshot.load;

import org.jspecify.annotations.NullMarked;
