/**
 * Server-sent events and long polls: messages from the server to clients that wait for them without a thread.
 *
 * <p>An {@link dev.penstock.http.events.EventStream} is one client that reads, from the moment its handler has opened
 * it until the client goes or the server ends it; an {@link dev.penstock.http.events.Event} is what it is sent. A
 * {@link dev.penstock.http.events.Topic} sends messages to many, by streams or by long polls, and remembers the latest
 * for those that come back with the number of the last one that they saw.
 *
 * <p>Invariants: a message is encoded once, however many read it; what a topic remembers is bounded in messages and
 * bytes, and who waits for it in number; a client that reads too slowly holds nobody up, it misses events or is
 * dropped, as the stream says. Begin with {@code Topic}.
 */
@NullMarked
package dev.penstock.http.events;

import org.jspecify.annotations.NullMarked;
