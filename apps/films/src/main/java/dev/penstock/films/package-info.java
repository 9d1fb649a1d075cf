/**
 * A film store, after the Sakila sample schema: its tables filled by {@link dev.penstock.films.FilmStore}.
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.films;
