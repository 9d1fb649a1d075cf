/**
 * The experiments: each runs Penstock side by side with what people would otherwise use, and says what it measured.
 *
 * <p>{@link dev.penstock.bench.Bench} is the command, and lists the experiments. They stand in packages by subject:
 * {@code pages} (a page that is streamed), {@code export} (large tables), {@code waits} (requests that wait), {@code
 * transfer} (huge bodies), {@code service} (pools of services), {@code daytrader} (an application on them) and {@code
 * films} (typed streams, in databases and in memory). What they share is below them: {@code experiment} (what an
 * experiment is given to run with), {@code server} (the gateway in a JVM of its own, and nginx), {@code client} (load),
 * {@code child} (JVMs that are started) and {@code report} (what was found, and how it is shown). An arrow goes from
 * the packages down, and never between two packages of experiments, but for rows in memory that {@code films} borrows
 * from {@code export}.
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.bench;
