/**
 * The roster of a pool: which instances there are, what each of them is doing, and how many there should be.
 *
 * <p>An instance begins as starting: a virtual thread has its service object made, again and again with a growing
 * delay, until that succeeds ({@code InstanceStarts}). It is live then, and goes from call to call by the hand-over. A
 * call that throws may have it made anew, and one that runs into its deadline puts it into quarantine, where it stays
 * until the call ends, while another instance takes its place ({@code InstanceFailures}). In the end it is stopped on a
 * thread of its own ({@code InstanceStops}). How many there are follows the calls that wait, the time, and
 * {@code resize} ({@code PoolSize}).
 *
 * <p>All of them share one {@code InstanceTable}, which has the counts and the one lock. Invariants:
 *
 * <ul>
 *   <li>An instance is counted once, as starting, live, quarantined or stopping, and each change from one to another is
 *       made under the lock.
 *   <li>Live, starting and owed instances, and those that were stopped for good, are at most as many as the largest
 *       size; what is more after a change of size is stopped as soon as no call uses it. Together with those in
 *       quarantine they are at most twice as many.
 *   <li>Code of users runs on threads of the pool, and never under the lock.
 *   <li>What calls read without the lock (flags of the hand-over, whether the pool may grow) is published under it.
 * </ul>
 *
 * <p>The service objects themselves, the supervision and listeners are behind {@link
 * dev.penstock.service.roster.InstanceLifecycle}. Begin reading with {@link dev.penstock.service.roster.Roster}.
 */
@NullMarked
package dev.penstock.service.roster;

import org.jspecify.annotations.NullMarked;
