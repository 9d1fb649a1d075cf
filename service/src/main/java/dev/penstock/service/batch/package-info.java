/**
 * Batches: one call for each of many items, several at once, the results in the items' order.
 *
 * <p>{@link dev.penstock.service.batch.Batch} makes each item an asynchronous call of its own, so that other callers
 * get their turns between them. It starts the next item when one is over and the pool has free capacity, or when none
 * of its own is under way; so a batch has at most one call in the queue that others wait in, and never fills it. A
 * caller that is inside an instance of the pool makes calls on that instance itself meanwhile, which is why a batch
 * cannot wait for an instance that its own caller holds.
 *
 * <p>Invariants: the batch keeps the items, the results and the futures of the calls under way, and nothing else; it
 * returns or throws only after all calls that it began are over; after the first failure it begins no other.
 */
@NullMarked
package dev.penstock.service.batch;

import org.jspecify.annotations.NullMarked;
