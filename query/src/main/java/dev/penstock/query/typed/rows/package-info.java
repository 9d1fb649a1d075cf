/**
 * The rows of one cursor as the source of the JDK's streams.
 *
 * <p>A {@link dev.penstock.query.typed.rows.SharedCursor} is opened with the first row and closed after the last, after
 * a failure, or when its stream is closed. A sequential stream reads it without a lock. When a parallel stream splits
 * its spliterator, several threads take rows in turn under a lock, or copies of a few hundred rows where the rows have
 * an order; what is held at once is bounded by the number of splits. The spliterators of long and double are generated
 * from that of int.
 */
@NullMarked
package dev.penstock.query.typed.rows;

import org.jspecify.annotations.NullMarked;
