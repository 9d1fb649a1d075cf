/**
 * The thread on which work is done, for whom, and what it may build.
 *
 * <p>A {@code QueryContext} is made for each query, and is asked between blocks of rows whether the query was
 * cancelled. Work that keeps a core busy for long is handed to {@code WorkerThreads} where the caller is a virtual
 * thread, and done in place where it is a platform thread: so no work on a worker waits for a worker. While a plan is
 * only explained, {@code IndexesToBuild} is bound to the thread: then nothing is handed over and no index is built.
 *
 * <p>Indexes that take long are built by {@code IndexThreads}, for which no query waits. Scheduled refreshes work at a
 * {@code Pace} that leaves queries the processors.
 *
 * <p>Why: docs/decisions/long-work-in-memory.md. Begin with {@code QueryContext.call}.
 */
@NullMarked
package dev.penstock.snapshot.work;

import org.jspecify.annotations.NullMarked;
