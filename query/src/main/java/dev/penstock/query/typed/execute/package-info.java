/**
 * The execution of a stream that is not answered by its plan alone.
 *
 * <p>A {@link dev.penstock.query.typed.execute.Pipeline} is a recording and the operations after it that are code. When
 * the terminal operation comes, a {@link dev.penstock.query.typed.execute.StreamExecution} is made of it and of the
 * {@link dev.penstock.query.typed.execute.RowDemand} of that operation: the plan, with a limit or an order that
 * operations further on ask for, the cursor of its rows, and the JDK's stream on that with the operations that are
 * left. It is a value, which {@code explain} reads as well.
 */
@NullMarked
package dev.penstock.query.typed.execute;

import org.jspecify.annotations.NullMarked;
