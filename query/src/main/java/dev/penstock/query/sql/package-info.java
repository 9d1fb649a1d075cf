/** The engine that runs plans as SQL over JDBC, and the dialects it knows. */
@org.jspecify.annotations.NullMarked
package dev.penstock.query.sql;
