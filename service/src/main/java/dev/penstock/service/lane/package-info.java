/**
 * Lanes: the order of calls with the same key.
 *
 * <p>{@link dev.penstock.service.lane.Lanes} holds one lane for each key that has a call, and none for any other. A
 * lane is a queue of turns; the first turn is the call that may be in the pool, waiting for an instance or running on
 * it. A call enters with a turn at the end, and exits when it is over, wherever in the lane it stands then: a caller
 * that ran out of time, or was interrupted or cancelled, leaves from the middle. Whoever makes another turn the first
 * starts it.
 *
 * <p>{@link dev.penstock.service.lane.KeyedTarget} is a pool with a key as its proxies see it. It waits for its turn
 * and then does what the pool itself does, so that a call for a key waits twice, first for its key and then for an
 * instance, each time within the pool's limit. A turn ends when the call is over, which may be later than its future is
 * complete (see {@link dev.penstock.service.proxy.TrackedCall}).
 *
 * <p>Invariants: at most one turn of a lane is started and not over; turns are started in the order in which they
 * entered; the turns that wait, in all lanes of a pool together, are at most as many as the pool's queue takes; a lane
 * without turns is in no map. No lock is held while a turn is started: starting one may refuse it at once and start the
 * next, which a loop does, not a recursion.
 */
@NullMarked
package dev.penstock.service.lane;

import org.jspecify.annotations.NullMarked;
