/**
 * What the HTTP server itself costs a request, without a network: finding its route, and calling its filters.
 *
 * <p>{@link dev.penstock.bench.requests.RequestsExperiment} has both measured by JMH and makes the report.
 * {@code RouteBenchmark} asks a router of a thousand routes. {@code FilterBenchmark} has a whole server answer
 * requests that come from this process ({@code MemoryRequest}), with no filter and with a hundred; the difference,
 * divided by a hundred, is what one filter costs.
 */
@NullMarked
package dev.penstock.bench.requests;

import org.jspecify.annotations.NullMarked;
