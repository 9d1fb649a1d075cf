/** The operations of a stream that a plan can say, and how far an engine takes them. */
@org.jspecify.annotations.NullMarked
package dev.penstock.query.typed.pushdown;
