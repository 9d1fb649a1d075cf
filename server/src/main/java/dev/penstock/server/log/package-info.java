/**
 * The log of the process: one line a message on the standard error stream, lines that could not be written counted, and text of others
 * cut to what fits into one line.
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.server.log;
