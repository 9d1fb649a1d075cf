/**
 * The databases that are supported: one {@link dev.penstock.query.sql.statement.Dialect} each.
 *
 * <p>A dialect says in SQL what a plan means in Java, or refuses. {@code GenericDialect} is for databases that are not
 * among those that are tested. Whatever a dialect says is compared with the plan's meaning by {@code DifferentialTest}
 * and {@code EngineConformanceTest}, on every database.
 *
 * <p>How functions and operators are spelled is here; how a column of a type is read, compared and bound, days and
 * times among them, is in {@code sql.schema}.
 */
@NullMarked
package dev.penstock.query.sql.dialect;

import org.jspecify.annotations.NullMarked;
