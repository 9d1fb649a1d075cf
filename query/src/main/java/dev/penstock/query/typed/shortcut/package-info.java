/**
 * The streams' side of the nanosecond path: streams of a few shapes whose terminal operation an engine answers without
 * a plan.
 *
 * <p>An engine that holds a table in memory is a {@code ShortcutEngine}, and gives {@code Shortcuts} to it.
 * {@code ShortcutRows} is then what {@code TypedTable.stream} gives. It has a class for each shape for which there is a
 * shortcut, so that the terminal operation knows the shape by its class; nothing is recorded until another operation,
 * or an explanation, asks for it. Every other operation goes on as that of any recorder.
 *
 * <p>The compiler leaves these streams out altogether as long as every method on the way stays small: what that means
 * for whoever changes something here is in docs/decisions/answers-in-nanoseconds.md. This package is exported to the
 * in-memory engine alone, which answers.
 */
@NullMarked
package dev.penstock.query.typed.shortcut;

import org.jspecify.annotations.NullMarked;
