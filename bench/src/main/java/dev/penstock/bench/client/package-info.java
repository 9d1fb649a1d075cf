/**
 * The load that clients put on a server, and what they see of its answers.
 *
 * <p>Begin with {@link dev.penstock.bench.client.Load}: groups of clients, each with a path, a number of clients, and
 * what a complete answer is. A {@link dev.penstock.bench.client.LoadDriver} carries it out in a JVM of its own, in
 * one thread, and hands back a {@link dev.penstock.bench.client.LoadFigures} for each group. There is one client for
 * everything: HTTP/1.1 and HTTP/2, slow readers, schedules, and a given number of requests.
 *
 * <p>Invariants: an answer counts only if it is whole, by HTTP's framing and by what was expected of it; a latency
 * counts from when the request was meant to start, so that a server that stops for a while can't hide it.
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.bench.client;
