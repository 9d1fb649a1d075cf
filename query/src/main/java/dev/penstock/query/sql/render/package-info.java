/**
 * Plans as SQL.
 *
 * <p>The way of a plan: {@code PlanShape} takes its values out, so that plans which differ in values alone have equal
 * shapes; {@link dev.penstock.query.sql.render.StatementCache} looks the shape up, and only a new one is written, by
 * {@link dev.penstock.query.sql.render.PlanSql}. That flattens nested blocks ({@code PlanNormalizer}), and writes the
 * parts with {@code PredicateSql}, {@code RelationSql}, {@code ExpressionSql}, {@code GroupSql} and {@code
 * SubquerySql}. What a condition means where a value is NULL is its {@code TruthTest}: two-valued in streams,
 * three-valued in URLs. The result is a {@link dev.penstock.query.sql.render.PreparedPlan}, which gives the query for
 * the path by which it is asked.
 *
 * <p>What a dialect can't say exactly is a {@link dev.penstock.query.sql.statement.UnsupportedPlanException}; {@link
 * dev.penstock.query.sql.render.PredicateRelaxation} then finds a wider condition that it can.
 */
@NullMarked
package dev.penstock.query.sql.render;

import org.jspecify.annotations.NullMarked;
