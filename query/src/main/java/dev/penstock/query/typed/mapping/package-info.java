/** The fields of an entity as the columns of a table that an engine has, and their cells as values. */
@org.jspecify.annotations.NullMarked
package dev.penstock.query.typed.mapping;
