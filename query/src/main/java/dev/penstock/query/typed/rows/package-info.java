/** The rows of one cursor as elements of the JDK's streams. */
@org.jspecify.annotations.NullMarked
package dev.penstock.query.typed.rows;
