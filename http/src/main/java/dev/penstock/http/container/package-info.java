/**
 * Requests that another server has received, such as a servlet container, and that are answered here.
 *
 * <p>An adapter implements {@link dev.penstock.http.container.ContainerRequest}, gives it to the server, and tells the
 * {@link dev.penstock.http.container.ContainerEvents} that it gets what happens. To the rest of the server such a
 * request is a connection like any other, with one request ({@code ContainerConnection}), which is given to an event
 * loop in turn. The container's target is put together again as it was sent by {@code ContainerTarget}, which refuses
 * what the container's filters may have understood differently (path parameters, dots, encoded slashes), and its
 * headers are checked once more by the rules of {@code HeadFraming}, since the container may have read them generously.
 * The response goes out through {@code ContainerTransport}, which hands the container one frame at a time, when it can
 * take it; where a handler has left some of the request unread, the response ends when {@code UnreadRest} is over.
 *
 * <p>Invariants: heads, connections and minimum rates are the container's matter; a call of the container never blocks;
 * of all threads that have something for it, one at a time hands it on, and the others leave a sign. Begin with {@code
 * ContainerConnection}.
 */
@NullMarked
package dev.penstock.http.container;

import org.jspecify.annotations.NullMarked;
