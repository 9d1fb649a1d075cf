/**
 * The page of the presidents: picture, name, dates and summary of every president of the United States, streamed row by
 * row from a database to a browser. {@link dev.penstock.presidents.Presidents} is the way in.
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.presidents;
