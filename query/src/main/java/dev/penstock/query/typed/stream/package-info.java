/** Streams of entities: they record what a plan can say and hand the rest to the JDK's streams. */
@org.jspecify.annotations.NullMarked
package dev.penstock.query.typed.stream;
