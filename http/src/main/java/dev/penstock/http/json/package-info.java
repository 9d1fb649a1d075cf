/**
 * JSON in the bodies of requests and responses, by whatever {@link dev.penstock.http.JsonMapper} there is.
 *
 * <p>{@link dev.penstock.http.json.JsonBody} reads and writes bodies through a mapper: it checks the media type, bounds
 * what is read, and tells the faults of a client from those of the server. {@link
 * dev.penstock.http.json.FoundJsonMapper} is the mapper of a server to which none was given. Neither holds a body as a
 * whole.
 */
@NullMarked
package dev.penstock.http.json;

import org.jspecify.annotations.NullMarked;
