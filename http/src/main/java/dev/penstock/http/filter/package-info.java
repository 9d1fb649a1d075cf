/**
 * Filters that most applications need: other sites' scripts, the name of a request, and who sent it.
 *
 * <p>Each is a {@link dev.penstock.http.Filter} that is added to a server or a group of routes; none blocks. What a
 * filter has found out about a request is an attribute of its exchange, under a key that the filter names.
 *
 * <p>Begin with {@link dev.penstock.http.filter.Cors}.
 */
@NullMarked
package dev.penstock.http.filter;

import org.jspecify.annotations.NullMarked;
