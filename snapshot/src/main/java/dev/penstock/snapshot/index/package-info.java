/**
 * Indexes of a table in memory, each of which is built when it is first needed, once, or made of that of the version
 * before.
 *
 * <p>An {@code IndexedTable} has an {@code IndexedColumn} for each column, which knows its indexes:
 * {@code CumulativeCounts} (how many rows have a code of a range), {@code RowIndex} (the rows in the order of the
 * codes) and {@code TextRanks} (codes for texts that have none); and a {@code CompositeIndex} for each set of columns
 * whose different rows are few. {@code LazyIndex} builds, beside the queries where it takes long, and after a shortage
 * of memory waits before it tries again. {@code IndexedTable.buildIndexesOf} gives the next version what this one has,
 * and {@code IndexedTable.buildDeclared} what is to be there from the beginning:
 * docs/decisions/indexes-across-versions.md. {@code StoredIndexes} are what a file keeps of those of a column,
 * {@code StoredComposite} of one of several columns.
 *
 * <p>Invariants: what is built is immutable; an index lives as long as its table's version, and goes over to the next
 * version where the table is the same. While a plan is explained, nothing is built: what would be is noted in
 * {@code IndexesToBuild}. Begin with {@code IndexedColumn}.
 */
@NullMarked
package dev.penstock.snapshot.index;

import org.jspecify.annotations.NullMarked;
