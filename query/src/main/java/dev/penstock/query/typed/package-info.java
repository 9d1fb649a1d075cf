/**
 * Typed tables: {@code java.util.stream} pipelines over records that run as queries.
 *
 * <p>{@link dev.penstock.query.typed.TypedTable} is the front door: an {@link dev.penstock.query.typed.field.Entity}
 * (the record class of a row, its columns as fields, and the reader of a row) on an {@link dev.penstock.query.Engine}.
 * Its streams are ordinary streams; what they do with fields becomes one {@link dev.penstock.query.Plan}, and the
 * engine answers it. {@link dev.penstock.query.typed.ForeignKey} and {@link dev.penstock.query.typed.Referrers} go from
 * a row of one table to those of another.
 *
 * <p>A stream goes through the packages in one direction, from {@code filter} to its rows:
 *
 * <ol>
 *   <li>{@code field}: {@code Film.LENGTH.greaterThan(90)} makes a condition, which a plan can say and the JVM can
 *       test.
 *   <li>{@code stream}: {@code stream().filter(condition)} gives a stream that has recorded it; the terminal operation
 *       ends the recording.
 *   <li>{@code pushdown}: the recording becomes the longest plan that the engine takes, and the operations that are
 *       left.
 *   <li>{@code mapping}: the fields become the columns of the engine's table on the way, and the cells of a row become
 *       values again.
 *   <li>{@code execute}: the operations that are left, and all that came after code, are applied to the JDK's streams.
 *   <li>{@code rows}: these read the one cursor of the plan, which is closed when the stream ends.
 * </ol>
 *
 * <p>A collector of {@code aggregate} goes the same way, as an aggregation. {@code shortcut} leaves the way for a few
 * shapes of streams over tables in memory. {@code subquery} is what a condition on the values of another stream knows
 * of that stream. Only this package, {@code field} and {@code aggregate} are exported; no package knows one that stands
 * before it.
 */
@NullMarked
package dev.penstock.query.typed;

import org.jspecify.annotations.NullMarked;
