/**
 * The ways to let a bounded number of calls at once into objects of a service: Penstock's pool and its peers.
 *
 * <p>Begin with {@link dev.penstock.bench.service.peer.Contender}, which names them all and starts each around a {@link
 * dev.penstock.bench.service.peer.Work}: the service, whose one method does what a part of the experiment wants to be
 * done. What was started is a {@link dev.penstock.bench.service.peer.Bounded}; it is called by any number of threads,
 * and closed by whoever started it.
 *
 * <p>They do not all give the same. Penstock, Stormpot, commons-pool2 and Pekko's actors have objects of their own for
 * each call at once; semaphores and bulkheads only count, and all calls share one object. A time limit that ends a
 * running call is Penstock's alone, and so are restarts. Each is set up as its manual has it for virtual threads, and
 * to wait for its turn rather than to refuse. A JVM runs one contender only, so that the compiler sees one kind of
 * call.
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.bench.service.peer;
