/** Collectors that an engine can do: counts, sums, extremes and groups. */
@org.jspecify.annotations.NullMarked
package dev.penstock.query.typed.aggregate;
