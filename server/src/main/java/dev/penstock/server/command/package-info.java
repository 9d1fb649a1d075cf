/**
 * The command line: {@link dev.penstock.server.command.Penstock} parses it and runs one command. A command checks its
 * options, starts what was asked for, and returns the exit code. An option of one command stands in its class, and
 * those that belong together in a class of {@code config} whose name ends in {@code Options}.
 *
 * <p>Whatever the user can mend is a {@link dev.penstock.server.config.StartupException}, shown as one sentence without
 * a stack trace, with exit code 2; anything else is a defect, with exit code 1.
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.server.command;
