/** Handlers get an {@link dev.penstock.http.Exchange}, on a virtual thread, and write to a body that pushes back. */
@org.jspecify.annotations.NullMarked
package dev.penstock.http;
