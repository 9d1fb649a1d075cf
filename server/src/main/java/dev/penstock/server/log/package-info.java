/**
 * What the process writes to its standard error stream. {@link dev.penstock.server.log.Logging} writes one line a
 * message and counts those that could not be written; {@link dev.penstock.server.log.FirstSentence} cuts messages of
 * drivers and libraries to what fits into one line; {@link dev.penstock.server.log.ProgressBar} shows the progress of a
 * start.
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.server.log;
