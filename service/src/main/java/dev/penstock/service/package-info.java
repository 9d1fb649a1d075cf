/**
 * Bounded pools of service instances, as an application uses them.
 *
 * <p>A {@link dev.penstock.service.ServicePool} holds N instances of a service. Each call has an instance for itself
 * while it runs, so that a service may keep a database connection in a field and needs no locks. A blocking call
 * borrows an idle instance and runs on the caller's own thread; an asynchronous one waits in the same queue without a
 * thread and runs on a virtual one. Calls that find no idle instance wait in one bounded queue, first come, first
 * served; what does not fit is rejected at once.
 *
 * <p>Behind it: {@code Calls} makes the calls; {@code ServiceInstance} is one instance with its state, which {@code
 * Lifecycle} starts and ends by the {@code Supervision} and its {@code Backoff}. The queue is the package {@code
 * handover}'s, how many instances there are is that of {@code roster}, asynchronous calls are in {@code async}, and
 * proxies are generated in {@code proxy}.
 */
@NullMarked
package dev.penstock.service;

import org.jspecify.annotations.NullMarked;
