/**
 * Requests that another server has received, such as a servlet container, and that are answered here. An adapter
 * implements {@link dev.penstock.http.container.ContainerRequest}, gives it to the server, and tells the {@link
 * dev.penstock.http.container.ContainerEvents} that it gets what happens. To the rest of the server such a request is a
 * connection like any other, with one request; heads, connections and minimum rates are the container's matter.
 */
@NullMarked
package dev.penstock.http.container;

import org.jspecify.annotations.NullMarked;
