/** Requests that wait, at several servers. */
@org.jspecify.annotations.NullMarked
package dev.penstock.bench.waits;
