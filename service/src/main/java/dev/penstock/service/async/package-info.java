/**
 * Asynchronous calls: they wait in the queue without a thread, and run on one of the pool.
 *
 * <p>{@link dev.penstock.service.async.AsyncCalls} makes an {@link dev.penstock.service.async.AsyncCall} for each,
 * which gets an idle instance or waits in the queue. A call that has an instance gets a thread: that of its instance in
 * a dedicated pool, one of the pool's platform threads where it has some, or else a virtual thread.
 *
 * <p>A call on a virtual thread that gives its instance on to another asynchronous call keeps that call for its own
 * thread and runs it next ({@link dev.penstock.service.async.CallChain}), so that most calls of a busy pool need no
 * thread started. In between it tells the listener and completes its own future, and with it runs what callers have
 * attached to that. This may take long, so a call that already has such dependents gives the next call to a new thread
 * before; and where some are attached in the very last moment, the watchdog gives the next call to a new thread after
 * 10 to 20 ms.
 *
 * <p>The pool itself is behind {@link dev.penstock.service.async.AsyncPool}. Begin reading with {@code AsyncCall}.
 */
@NullMarked
package dev.penstock.service.async;

import org.jspecify.annotations.NullMarked;
