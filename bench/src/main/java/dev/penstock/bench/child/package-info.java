/** JVMs that an experiment starts, and what it asks of them. */
@org.jspecify.annotations.NullMarked
package dev.penstock.bench.child;
