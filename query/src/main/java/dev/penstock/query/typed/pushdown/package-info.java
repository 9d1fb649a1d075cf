/**
 * What an engine does of a stream.
 *
 * <p>A {@link dev.penstock.query.typed.pushdown.Recording} is the immutable list of the
 * {@link dev.penstock.query.typed.pushdown.StreamOperation}s that were called on a stream and that a plan can say; it
 * makes the {@link dev.penstock.query.Plan} when the terminal operation comes. Whether the engine takes that plan is
 * asked then: {@link dev.penstock.query.typed.pushdown.Pushdown} is the longest plan that it answers exactly, with the
 * conditions and operations that are left for the JVM, and why the engine refused them.
 *
 * <p>Whether an operation is code of the caller's, which no engine is asked about, was decided before, by {@code
 * RowRecorder}. {@code StreamExplainer} puts all reasons together for {@code explain}.
 */
@NullMarked
package dev.penstock.query.typed.pushdown;

import org.jspecify.annotations.NullMarked;
