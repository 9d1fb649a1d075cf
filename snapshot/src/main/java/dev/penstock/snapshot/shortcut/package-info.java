/**
 * The nanosecond path: counts, statistics, rows by their keys and different values of short streams without a plan.
 *
 * <p>The streams of the query module that have shortcuts ask a {@code TableShortcuts}, which finds the newest version
 * in {@code ShortcutTables}, a field's column in {@code ShortcutColumns}, and the answer in a {@code ShortcutColumn}:
 * on the heap, or by an index.
 *
 * <p>Invariants: a call reads the newest version once, keeps nothing of it, and allocates nothing but its answer and
 * what the columns of the version keep; every method on the way is small enough for the compiler to take into the
 * stream's own code. What that means for whoever changes something here: docs/decisions/answers-in-nanoseconds.md.
 */
@NullMarked
package dev.penstock.snapshot.shortcut;

import org.jspecify.annotations.NullMarked;
