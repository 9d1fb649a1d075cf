/**
 * The implementations of {@code Stream}, {@code IntStream}, {@code LongStream} and {@code DoubleStream}.
 *
 * <p>There are two classes for each. A recorder ({@link dev.penstock.query.typed.stream.RowRecorder},
 * {@code IntRecorder}) is a stream that a plan can still say: an operation on fields adds to its recording, and a
 * terminal operation that an engine can answer with one row is asked by {@code TerminalPushdown}. A stage
 * ({@code RowStage}, {@code IntStage}) is a stream behind code: it only notes its operations. A recorder extends the
 * stage of its type, so that what it does not override goes on in the JVM.
 *
 * <p>All stages of a stream share one {@link dev.penstock.query.typed.stream.StreamContext}: whether it is parallel,
 * the handlers of {@code onClose}, and the cursor. No cursor outlives its stream: each terminal operation is run by the
 * context, which closes the cursor whatever happens; iterators and spliterators close it at their end. Every stage is
 * used once, and by one thread, as the JDK's are.
 *
 * <p>Begin with {@code Stage}, then {@link dev.penstock.query.typed.stream.RowRecorder}. The classes for long and
 * double are generated from those for int. {@link dev.penstock.query.typed.stream.StreamExplainer} tells people what
 * becomes of a stream.
 */
@NullMarked
package dev.penstock.query.typed.stream;

import org.jspecify.annotations.NullMarked;
