/**
 * Memory outside the heap that is counted before it is taken, and the arrays that are kept there.
 *
 * <p>{@code Memory} is the limit of a snapshot: whatever is allocated through it counts until nobody can reach its
 * segment any more. Large {@code Longs} are given back before that, by {@code free}, at the end of the {@code Lifetime}
 * of the column that has them. Before it refuses memory, it runs the collector and waits for what
 * that frees: always for a version, and for an index or a query after a pause that grows ({@code Shortage}).
 * {@code Memory.Scratch} is for what is needed only while something is built, and is released when it is closed. On it
 * stand {@code Longs} (whole numbers in as few bytes as their range needs), {@code ByteStrings} (many strings of
 * bytes), their builders, and {@code DistinctKeys} (a hash table of strings of bytes).
 *
 * <p>What a query takes of the heap is counted by a {@code HeapReservation}, against one limit for all queries.
 *
 * <p>Invariants: everything that is built is immutable and thread-safe, builders are used by one thread; behind the
 * last number of a {@code Longs} there is room for eight bytes, so that a number of any width is read without a branch.
 * Begin with {@code Memory} and {@code Longs}.
 */
@NullMarked
package dev.penstock.snapshot.memory;

import org.jspecify.annotations.NullMarked;
