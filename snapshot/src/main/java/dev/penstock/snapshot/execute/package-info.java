/**
 * A plan on one version of the tables: checked, planned, explained or run.
 *
 * <p>{@code PlanValidator} says whether a plan makes sense, and whether memory answers it at all. {@code Execution}
 * answers it: subqueries of conditions first, each to its {@code SubqueryValues}, then nested plans, each block as
 * {@code PendingRows} (filtered, sorted and cut, but not fetched), then its output. {@code Planner} decides once how
 * that is done: a {@code PhysicalPlan}, with a {@code RowPlan} or a {@code CountPlan} in it, is a value that {@code
 * Execution} runs and {@code ExplainPlan} prints. The index for a filter is chosen by {@code AccessPath}, that for an
 * order by {@code PendingRows}, one of several columns by {@code Planner}; what needs no row at all is {@code
 * KnownAggregates}. {@code ResultCursor} reads the answer, which is found when the first row is asked for, and keeps
 * the version in memory until it is closed.
 *
 * <p>Invariants: an execution is used by one thread, and reads one version as a whole; what an explanation says was
 * decided by the code that decides for the execution. Begin with {@code Execution.answer}.
 */
@NullMarked
package dev.penstock.snapshot.execute;

import org.jspecify.annotations.NullMarked;
