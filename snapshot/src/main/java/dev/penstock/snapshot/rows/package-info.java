/**
 * Numbers of rows: which pass a condition, and in which order they come.
 *
 * <p>{@code FilterCompiler} turns a condition of a plan into a {@code Filter}, which tests single rows or narrows the
 * selection bitmap of a block of 4,096 rows; {@code TextSearch} looks for a string in texts that are kept in tokens. A
 * {@code RowSource} gives row numbers, some at a time: {@code TableScan} block by block, {@code OrderedIndexScan} in
 * the order of an index, a list, or a part of another source. A {@code RowBlock} holds some of them at a time, or where
 * they begin if they follow each other. {@code IndexedRows} lists the rows that one or more indexes have. Which of them
 * it is, is decided in {@code execute}. {@code RowSorter} sorts rows by {@code SortKey}s; {@code ParallelScan} cuts a
 * scan into parts for several threads.
 *
 * <p>Invariants: filters and sources are used by one thread at a time; every block asks the query's context whether to
 * go on. Begin with {@code RowSource} and {@code Filter}.
 */
@NullMarked
package dev.penstock.snapshot.rows;

import org.jspecify.annotations.NullMarked;
