/** Streams run: a plan for the engine and the rest for the JDK's streams. */
@org.jspecify.annotations.NullMarked
package dev.penstock.query.typed.execute;
