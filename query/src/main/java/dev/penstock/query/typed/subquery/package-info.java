/**
 * Streams as subqueries: what a condition on the values of a stream knows of it.
 *
 * <p>{@code Film.ID.in(actors.stream().map(Actor.FILM_ID))} uses that stream up, and keeps a
 * {@link dev.penstock.query.typed.subquery.StreamSubquery} of it. When the outer stream's terminal operation makes its
 * plan, the mapping of conditions either puts the plan of the values in its place, so that one query does both, or
 * reads the values first and puts them there. The classes of the streams implement both interfaces; the fields only
 * know these.
 */
@NullMarked
package dev.penstock.query.typed.subquery;

import org.jspecify.annotations.NullMarked;
