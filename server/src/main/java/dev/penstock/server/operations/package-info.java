/**
 * What operators see: metrics in Prometheus' format, health, and the reload of the schema, on the server's port or on
 * one of their own.
 *
 * <p>{@link dev.penstock.server.operations.Operations} mounts them; {@code Metrics} has the gauges and counters of the
 * process, {@code RequestMetrics} those of requests, and {@code PoolMetrics} those of service pools, each of which must
 * have an instance for the server to be ready. All of it has an admission of its own, so that a server that is busy
 * still answers them. No answer names a host or a user.
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.server.operations;
