/**
 * Sums and groups over very many rows in memory, beside DuckDB.
 *
 * <p>Begin with {@link dev.penstock.bench.sums.SumsExperiment}, which starts a process for each {@link
 * dev.penstock.bench.sums.ReadingStore}.
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.bench.sums;
