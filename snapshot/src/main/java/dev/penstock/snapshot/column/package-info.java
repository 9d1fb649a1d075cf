/**
 * Columns of a table as they are kept: codes, texts, and the reading of both.
 *
 * <p>A {@code StoredTable} has one {@code StoredColumn} for each of the table's. A {@code CodedColumn} has a whole
 * number for each row, in the order of the values, so that every comparison is one of numbers; what the numbers stand
 * for is its {@code CodeEncoding}: numbers of something, floating-point bits, or places in a {@code Dictionary}. To the
 * packages above it is {@code OrderedCodes}. A {@code TextColumn} has each text by itself, compressed by {@code Tokens}
 * that were learned from the first texts ({@code TextCompression}, {@code TokenTrainer}). {@code CellReader} gives the
 * values of both, as a database's cursor would.
 *
 * <p>Between the canonical text of a value and its bytes in a dictionary stands {@code KeyCodec}; their unsigned order
 * is that of the values.
 *
 * <p>Invariants: NULL is the code below all others; a column is immutable and thread-safe, a reader is used by one
 * thread. To add a column type, begin with {@code ColumnType} of the query module and follow the compiler: its
 * bytes in a dictionary are {@code KeyCodec}'s, its values {@code CellReader}'s, and {@code NumberColumnBuilder.takes}
 * says whether it is kept as a number. A further type of a database that is read as a {@code ColumnType} there is
 * needs nothing here: see the query module's package {@code sql.schema}. To add an encoding, begin with {@code
 * CodeEncoding}.
 */
@NullMarked
package dev.penstock.snapshot.column;

import org.jspecify.annotations.NullMarked;
