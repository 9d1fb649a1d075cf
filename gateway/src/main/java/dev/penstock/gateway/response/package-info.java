/**
 * Rows as the response to a request, and what has to be counted for its head.
 *
 * <p>{@link dev.penstock.gateway.response.RowRange} is the way of a request for data: it applies {@code Range} and
 * {@code limit} to the plan, counts the total where {@code Prefer} asks for it, and has {@code RowResponse} write the
 * rows. {@code RowResponse} opens the cursor, holds back the head until the first block is full, so that an early
 * failure is a clean error, and closes the cursor on every path. {@code ResumeHeader} tells the client by which columns
 * it can go on where the rows break off.
 *
 * <p>Two memories spare the database work, both bounded and thread-safe: {@code TableSizes} knows which tables are so
 * small that a request for all of them is a short one ({@code CountedCursor} moves a response to the bulk queue where
 * that turns out wrong), and {@code RowTotal} which counts of rows take too long for a page. {@code TimedCount} is one
 * such count.
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.gateway.response;
