/**
 * Many callers of a few instances: whether each gets its turn, in order, and what their waits cost.
 *
 * <p>{@link dev.penstock.bench.service.crowd.Callers} are virtual threads that call in a loop, and what they saw: how
 * often, and how long they waited. The parts are {@link dev.penstock.bench.service.crowd.MillionPart} (a queue of a
 * million), {@link dev.penstock.bench.service.crowd.FairnessPart} (10,000 callers of 50 instances), {@link
 * dev.penstock.bench.service.crowd.OverloadPart} (more callers than a bounded queue takes), {@link
 * dev.penstock.bench.service.crowd.CoresPart} (50 instances with 1, 2 and 4 processors) and {@link
 * dev.penstock.bench.service.crowd.ThreadsPart} (calls on 1, 2 and 4 platform threads). All run in JVMs of their own.
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.bench.service.crowd;
