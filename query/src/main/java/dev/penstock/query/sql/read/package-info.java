/**
 * Cursors over the answers of databases, in bounded memory.
 *
 * <p>{@link dev.penstock.query.sql.read.CursorFactory} makes the cursor: {@code ResultSetCursor} for JDBC, {@code
 * CopyCursor} and {@code BinaryCopyCursor} for PostgreSQL's {@code COPY}. Which of these it is was decided by {@code
 * Database}: when it connects, by what the connection can do, and for each plan, by the length of its answer and the
 * number of its values. Each is a {@link
 * dev.penstock.query.sql.read.RowCursor}, which takes a connection at the first row and gives it back at the end,
 * through its {@link dev.penstock.query.sql.read.Session}: that is where a query is cancelled, and where a connection
 * is given back exactly once. {@link dev.penstock.query.sql.read.LeakedCursor} does it for a cursor that was dropped.
 * {@link dev.penstock.query.sql.read.SmallResultCursor} is an answer that is read at once, while {@link
 * dev.penstock.query.sql.read.ByteBudget} has the memory for it.
 *
 * <p>Cells are canonical text in UTF-8 ({@code CanonicalText}), whatever the driver gives; {@code CellParser} reads
 * values of it. A cell that is too wide for a batch is left out by the query and read apart by {@link
 * dev.penstock.query.sql.read.WideCells}, which reserves its bytes first.
 */
@NullMarked
package dev.penstock.query.sql.read;

import org.jspecify.annotations.NullMarked;
