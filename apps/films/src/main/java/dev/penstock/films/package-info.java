/**
 * The entities of the film store, a record for each of its sixteen tables after the Sakila sample schema: what {@code
 * penstock generate} makes of {@code films.schema}. {@code store} makes and fills the tables, {@code page} shows
 * streams over them.
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.films;
