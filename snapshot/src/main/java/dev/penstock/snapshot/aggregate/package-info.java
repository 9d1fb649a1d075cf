/**
 * Groups of rows and the values that are made of each.
 *
 * <p>{@code RowGrouping} numbers the groups of rows; each {@code Accumulator}, which {@code Accumulators} chooses for
 * an aggregate, takes the rows of all groups in; {@code GroupAggregation} holds both and gives a {@code QueryResult}:
 * columns of cells, and the rows by whose numbers they are read.
 *
 * <p>Invariants: one thread fills an aggregation; those of several threads are added up in the order of their rows.
 * Whatever grows with the groups is reserved on the heap first. Begin with {@code GroupAggregation}.
 */
@NullMarked
package dev.penstock.snapshot.aggregate;

import org.jspecify.annotations.NullMarked;
