/**
 * Platform threads of pools that ask for them.
 *
 * <p>A pool uses its callers' threads and virtual ones, unless it is told otherwise. An instance of a
 * <em>dedicated</em> pool is made, called and stopped on one {@link dev.penstock.service.thread.InstanceThread}, which
 * serves libraries that belong to a thread, and callers that must get away in time from code that no interrupt ends. A
 * number of threads makes all dedicated instances share so many, or bounds those on which asynchronous calls run.
 *
 * <p>{@link dev.penstock.service.thread.PoolThreads} makes them, names them after the pool and ends them. All are
 * daemon threads. What a thread has to do waits in a queue of its own, which is as long as the pool has instances at
 * most, because a call is given to a thread together with an instance.
 */
@NullMarked
package dev.penstock.service.thread;

import org.jspecify.annotations.NullMarked;
