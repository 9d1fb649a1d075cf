/**
 * The hand-over of instances to calls, and nothing else: it knows permits, not services.
 *
 * <p>A {@link dev.penstock.service.handover.Permit} stands for one instance. Idle permits lie in an
 * {@link dev.penstock.service.handover.IdleStack}, so that a call that need not wait takes one with a single compare
 * and set, and gives it back with another. A call that finds none puts a {@link dev.penstock.service.handover.Waiter}
 * into the {@link dev.penstock.service.handover.WaitQueue} of the {@link dev.penstock.service.handover.Handover}, under
 * its one short lock. Whoever gives a permit back hands it to the first waiter.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>A permit is in exactly one place: in the stack, with one call, or with one waiter to which it was handed.
 *   <li>No permit stays in the stack while somebody waits. The one that queues announces itself before it looks into
 *       the stack, and the one that gives back looks for waiters after it has put the permit there, so that one of the
 *       two sees the other (Dekker's argument).
 *   <li>First come, first served: while somebody waits, nobody takes a permit from the stack except for the first.
 *   <li>A waiter's outcome is decided once, under the lock: handed, timed out, cancelled, or refused.
 * </ul>
 *
 * <p>A call's run has a number, and {@link dev.penstock.service.handover.Interrupts} interrupts that run or none: a
 * deadline's interrupt reaches the thread before its call has ended or not at all. {@link
 * dev.penstock.service.handover.Holders} finds the permit that a thread holds, for calls within calls. {@link
 * dev.penstock.service.handover.Watchdog} is the one thread that watches the clock for all pools.
 *
 * <p>Begin reading with {@code Handover}, then {@code Permit}.
 */
@NullMarked
package dev.penstock.service.handover;

import org.jspecify.annotations.NullMarked;
