/**
 * The JVMs that experiments start: servers, load clients and whatever else is measured, each by itself.
 *
 * <p>Begin with {@link dev.penstock.bench.child.Child}. A parent starts one around an object (a server, a store of
 * films), which a {@link dev.penstock.bench.child.Child.Starter} makes in the child, and then sends it {@link
 * dev.penstock.bench.child.Child.Task}s: lambdas that run in the child on that object, and whose results come back.
 * Both go as serialized objects, one a line, over the child's standard input and output. A child can always be asked
 * for its heap after collections, its threads, its processor time and its resident memory.
 *
 * <p>A child has the launcher's options for a server, its log in a file, and ends with its parent, however that ends.
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.bench.child;
