/** Typed tables: {@code java.util.stream} pipelines over records that run as queries. */
@org.jspecify.annotations.NullMarked
package dev.penstock.query.typed;
