/**
 * Generated proxies: a typed interface in front of a pool.
 *
 * <p>A {@link dev.penstock.service.proxy.ProxyType} is an interface whose proxy class has been generated, with
 * {@code java.lang.classfile}. The class is made once for an interface; each pool (and each key) has an object of it. A
 * proxy has a {@link dev.penstock.service.proxy.ProxyTarget} for each method name: the pool, or the part of a split
 * pool, that serves it. Begin reading there: a proxy knows nothing else of pools.
 *
 * <p>A method is called in one of three ways ({@link dev.penstock.service.proxy.CallKind}), which its return type
 * decides when the class is generated, so that a blocking call decides, reflects upon and allocates nothing. Its body:
 *
 * <pre>{@code
 * ProxyTarget target = this.target3;
 * Object lease = target.borrow("quote");
 * Quote result;
 * try {
 *     result = ((QuoteService) target.service(lease)).quote(symbol);
 * } catch (Throwable failure) {
 *     throw target.fail(lease, failure);      // whatever it is, declared or not
 * }
 * target.complete(lease);
 * return result;
 * }</pre>
 *
 * One-way and asynchronous methods, and all methods of a pool whose instances own their threads, capture their
 * arguments in a {@link dev.penstock.service.proxy.ProxyCall}, as a lambda expression does, and hand it over.
 *
 * <p>The place where the class is defined decides which interfaces can be served. An interface that this module sees,
 * and whose signatures mention public types only, gets a hidden class in this package. Any other gets its class in its
 * own package, which needs a lookup: its user's, or one that the JDK grants because both are on the class path or the
 * interface's module opens the package ({@code ProxyHome}). Generated classes name {@code ProxyTarget} there, which is
 * why it is public, and why this package is exported to that module at run time, and to no other.
 *
 * <p>Invariants: a proxy has no state of its own; generated classes are unloaded with the interface or earlier; a lease
 * is completed or failed exactly once, on the thread that borrowed it.
 */
@NullMarked
package dev.penstock.service.proxy;

import org.jspecify.annotations.NullMarked;
