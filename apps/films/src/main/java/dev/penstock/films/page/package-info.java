/**
 * The page {@code /films}: {@link dev.penstock.films.page.Films} mounts it, {@code Showings} are the streams that it
 * runs, each with its source text, its SQL, its answer and its time, and {@code FilmsPage} writes them as HTML.
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.films.page;
