/**
 * Films in databases and in memory, asked by typed streams and by what people would otherwise use.
 *
 * <p>Begin with {@link dev.penstock.bench.films.FilmQuestion}: what is asked. A {@link
 * dev.penstock.bench.films.FilmAsks} makes a question ready to be asked, and there is one for each way: {@link
 * dev.penstock.bench.films.StreamFilms} (Penstock), {@link dev.penstock.bench.films.SqlFilms} (JDBC), {@link
 * dev.penstock.bench.films.ListFilms} and so on. Two experiments ask: {@link
 * dev.penstock.bench.films.FilmsSqlExperiment} databases, in this JVM, and {@link
 * dev.penstock.bench.films.FilmsExperiment} stores in memory, each in a JVM of its own ({@link
 * dev.penstock.bench.films.FilmsChild}). Both compare the answers before they measure.
 *
 * <p>The JMH benchmarks look closer: at a snapshot, and at the way from a stream or a plan to its SQL.
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.bench.films;
