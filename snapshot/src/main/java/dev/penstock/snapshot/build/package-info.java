/**
 * Columns while their rows come in, in any order.
 *
 * <p>A {@code TableBuilder} reads a cursor into one {@code ColumnBuilder} a column, which begins as the narrowest that
 * fits and goes over to the next where a value does not: numbers ({@code NumberColumnBuilder}), a list of different
 * values ({@code DictionaryColumnBuilder}), each text by itself ({@code TextColumnBuilder}). Parts that several
 * connections read are put together ({@code addAll}), sorted by the key, and become a {@code StoredTable}.
 *
 * <p>The next version of a table of which little has changed is a {@code TablePatch}: copies of runs of rows, column by
 * column.
 *
 * <p>Invariants: what is needed meanwhile is outside the heap and released by {@code close}; a builder is used by one
 * thread at a time. Begin with {@code TableBuilder}.
 */
@NullMarked
package dev.penstock.snapshot.build;

import org.jspecify.annotations.NullMarked;
