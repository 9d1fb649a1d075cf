/**
 * Requests that wait, at several servers.
 *
 * <p>Begin with {@link dev.penstock.bench.waits.SuspendExperiment}, which has four parts: up to a thousand waits at
 * once at every server, thousands at once ({@link dev.penstock.bench.waits.ManyWaits}), a hundred thousand over
 * HTTP/2 ({@link dev.penstock.bench.waits.Http2Waits}), and small answers that wait for nothing ({@link
 * dev.penstock.bench.waits.PlainAnswers}). {@link dev.penstock.bench.waits.WaitServer} lists the servers; each is one
 * class, in a JVM of its own. {@link dev.penstock.bench.waits.WebSocketsExperiment} opens ten thousand WebSockets that
 * are idle.
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.bench.waits;
