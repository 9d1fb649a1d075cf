/**
 * A client for tests of an application's routes: {@link dev.penstock.http.test.TestClient}, without a socket or over
 * one.
 *
 * <p>Without a socket, a request is an {@code InMemoryRequest}, which is to the server what a servlet container's is:
 * it takes the way of every other through limits, routes and filters, on the server's own threads. Over a socket it is
 * sent by the JDK's client. Assertions are the test's own.
 *
 * <p>Begin with {@code TestClient}.
 */
@NullMarked
package dev.penstock.http.test;

import org.jspecify.annotations.NullMarked;
