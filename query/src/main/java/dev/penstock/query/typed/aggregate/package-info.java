/**
 * Collectors that an engine can run: counts, sums, extremes, averages, and groups of them.
 *
 * <p>The JDK's collectors don't tell what they do. An {@link dev.penstock.query.typed.aggregate.AggregateCollector},
 * which {@link dev.penstock.query.typed.aggregate.Aggregates} makes, works in any stream as a collector of the JDK
 * would, and says besides which aggregation gives the same result: keys, aggregate functions, and a folder that makes
 * the result of the aggregation's rows. Where a part is not to be had from an engine, the whole is collected in the
 * JVM.
 */
@NullMarked
package dev.penstock.query.typed.aggregate;

import org.jspecify.annotations.NullMarked;
