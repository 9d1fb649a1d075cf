/**
 * Films in memory that follow a database's log, while others ask them.
 *
 * <p>Begin with {@link dev.penstock.bench.follow.FollowExperiment}. A {@link dev.penstock.bench.follow.FollowedFilms}
 * is the process with the films and with the {@link dev.penstock.bench.follow.Readers} that ask them; the {@link
 * dev.penstock.bench.follow.FilmChanges} are written by this process.
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.bench.follow;
