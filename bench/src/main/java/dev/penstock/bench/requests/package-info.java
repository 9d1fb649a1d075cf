/**
 * What the HTTP server itself costs a request, without a network: finding its route, and calling its filters.
 *
 * <p>{@link dev.penstock.bench.requests.RequestsExperiment} has both measured by JMH and makes the report.
 * {@code RouteBenchmark} asks a router of a thousand routes. {@code FilterBenchmark} has a whole server answer
 * requests that come from this process ({@code MemoryRequest}), through a hundred filters and through a thousand; the
 * difference, divided by nine hundred, is what one filter costs.
 */
@NullMarked
package dev.penstock.bench.requests;

import org.jspecify.annotations.NullMarked;
