/**
 * Traces of requests by OpenTelemetry: {@link dev.penstock.http.opentelemetry.Tracing} is given to the builder of a
 * server.
 *
 * <p>Each request has a span, which continues the trace that its headers name, if they do: it starts when the head of
 * the request has come, and ends when the last byte of the response has left or the response is broken, whether a
 * thread was there for it or not. While filters and handlers run, the span is OpenTelemetry's current one on their
 * thread.
 *
 * <p>Invariants: a span is ended once; nothing of it stays on a thread when a filter or handler has returned.
 */
@NullMarked
package dev.penstock.http.opentelemetry;

import org.jspecify.annotations.NullMarked;
