/**
 * The experiment {@code service}: pools of service instances beside what people would otherwise use.
 *
 * <p>{@link dev.penstock.bench.service.ServiceExperiment} runs the parts. {@code peer} has the contenders, {@code call}
 * the cost of a call by itself, and {@code crowd} many callers of a few instances. {@code call} borrows the callers of
 * {@code crowd}; both start the contenders of {@code peer}.
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.bench.service;
