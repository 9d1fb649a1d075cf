/**
 * Routes by path and method, the groups that they are in, and the filters and settings of those.
 *
 * <p>A {@code Router} is a tree of path segments, filled by the builder of a server through {@code RouteGroup}s. When
 * the server starts, each route is given what its requests go through: a {@code FilterChain}, which is the filters of
 * the groups around it, outside in, and its admission and its limit of bodies, which are those of the innermost group
 * that has some. From then on nothing changes, and event loops read without a lock. A request finds its route by one
 * walk along its segments; one that no route answers belongs to the group whose prefix it has.
 *
 * <p>Invariants: of two routes that match, the one whose path is written out further is taken; a filter is in a chain
 * once; nothing here knows an exchange that runs. Begin with {@code Router}.
 */
@NullMarked
package dev.penstock.http.route;

import org.jspecify.annotations.NullMarked;
