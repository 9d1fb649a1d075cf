/**
 * The settings of the commands: options of the command line, checked before anything is done that takes time, and the
 * limits that follow from them.
 *
 * <p>A class whose name ends in {@code Options} is filled by picocli; its check throws {@link
 * dev.penstock.server.config.StartupException} with the option, the value and the range. {@link
 * dev.penstock.server.config.ConcurrencyLimits} checks the ranges of concurrency, and derives what was left open from
 * the heap and from the {@link dev.penstock.server.config.ConnectionAllowance}, which says how many connections the
 * database allows, and how many of these are left to others.
 * {@link dev.penstock.server.config.JdbcTarget} is the database to connect to, whose passwords appear in no message.
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.server.config;
