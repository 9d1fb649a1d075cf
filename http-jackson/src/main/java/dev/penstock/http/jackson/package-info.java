/**
 * JSON of handlers by Jackson: {@link dev.penstock.http.jackson.JacksonMapper} is what {@code Exchange.readJson} and
 * {@code Exchange.json} use where this is on the path. To set a mapper up in another way, give one to the builder of
 * the server.
 */
@NullMarked
package dev.penstock.http.jackson;

import org.jspecify.annotations.NullMarked;
