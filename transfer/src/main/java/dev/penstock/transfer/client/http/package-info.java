/**
 * Requests with bodies of any size, on the JDK's client: the thread of the caller reads what is sent, and writes what
 * is received, so that it can be interrupted, and nothing runs ahead of it.
 *
 * <p>{@link dev.penstock.transfer.client.http.HttpCalls} sends a request. A body that is sent goes through a
 * {@link dev.penstock.transfer.client.http.BodyPump}: the JDK's client says how much it wants, and the caller's
 * thread gives as much, waiting for more demand where there is none. A body that is received comes through a
 * {@link dev.penstock.transfer.client.http.BodyQueue}, of which the caller takes some buffers and then asks for as
 * many more. Both give up when nothing has moved for the stall timeout: a connection of which the other end is gone
 * is not waited for forever.
 *
 * <p>{@link dev.penstock.transfer.client.http.MemoryBudget} bounds how many requests run at once, and
 * {@link dev.penstock.transfer.client.http.Backoff} the repeats of one: exponential, with full jitter. Nothing in
 * here repeats a request by itself; who calls knows what is safe.
 */
@NullMarked
package dev.penstock.transfer.client.http;

import org.jspecify.annotations.NullMarked;
