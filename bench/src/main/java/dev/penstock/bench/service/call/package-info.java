/**
 * The cost of a call by itself: alone, by many threads at once, and with many answers outstanding.
 *
 * <p>{@link dev.penstock.bench.service.call.CallBenchmark} is the call as JMH measures it. {@link
 * dev.penstock.bench.service.call.SinglePart} runs it for each contender in JVMs of its own, in turns, with the bytes
 * that a call allocates; {@link dev.penstock.bench.service.call.ContendedPart} has 2 to 1,000 virtual threads share two
 * instances; {@link dev.penstock.bench.service.call.OutstandingPart} keeps 1,000 calls outstanding. The work is next to
 * nothing everywhere, so that what is seen is the way to it.
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.bench.service.call;
