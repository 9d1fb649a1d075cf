/**
 * Server-sent events: an {@link dev.penstock.http.events.EventStream} is one client that reads, a {@link
 * dev.penstock.http.events.Topic} sends messages to many, by streams or by long polls, and remembers the latest for
 * those that come back. No client has a thread; one that reads too slowly is dropped or misses events, as the stream
 * says.
 */
@NullMarked
package dev.penstock.http.events;

import org.jspecify.annotations.NullMarked;
