/**
 * The server's logs of requests: a line for each one that is done with ({@code AccessLog}), and lines for what was
 * refused before there was a request ({@code RejectionLog}, at most 100 a second, the rest counted).
 *
 * <p>A connection gives a request that is finished to {@code ServerContext.finished}, which has it formatted and queued
 * here; a thread of the log's own writes the lines. Where that is slower than requests come, lines are dropped and
 * counted: no event loop and no handler ever waits for a log. What a client has sent appears in a line only escaped, so
 * that nobody can write lines of their own. Begin with {@code AccessLog}.
 */
@NullMarked
package dev.penstock.http.log;

import org.jspecify.annotations.NullMarked;
