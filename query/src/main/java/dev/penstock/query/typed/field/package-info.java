/** Columns of entities as Java values: fields, the conditions, orders and numbers that are made of them, and entities. */
@org.jspecify.annotations.NullMarked
package dev.penstock.query.typed.field;
