package dev.penstock.query.typed.stream;

import static java.util.Objects.requireNonNull;

import dev.penstock.query.Subquery;
import dev.penstock.query.typed.execute.Pipeline;
import dev.penstock.query.typed.execute.RowDemand;
import dev.penstock.query.typed.execute.StreamExecution;
import dev.penstock.query.typed.field.Condition;
import dev.penstock.query.typed.rows.SharedCursor;
import dev.penstock.query.typed.subquery.StreamSubquery;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.BaseStream;
import java.util.stream.Collector;
import org.jspecify.annotations.Nullable;

/**
 * The state that the stages of one stream share, from {@code TypedTable.stream} to the terminal operation: whether it
 * is parallel, the handlers of {@code onClose}, and the cursor. Used by one thread, as streams are.
 */
public final class StreamContext {
    private boolean parallel;
    private boolean closed;
    private boolean inKeyOrder;
    private boolean outlivesTerminal;
    private @Nullable List<Runnable> handlers;
    private long mostElements = Long.MAX_VALUE;
    private @Nullable StreamExecution execution;
    private @Nullable SharedCursor cursor;
    private @Nullable String terminal;
    private @Nullable Collector<?, ?, ?> collector;

    /** The conditions in what the JVM is given to test or to collect by, for {@code explain}; null for none. */
    private @Nullable List<Condition<?>> given;

    /** The reasons why the JVM does what an engine could, for {@code explain}. */
    private List<String> reasons = List.of();

    /** Returns the context of a stream that is parallel, or is not. */
    public static StreamContext of(boolean parallel) {
        StreamContext context = new StreamContext();
        context.parallel = parallel;
        return context;
    }

    public boolean isParallel() {
        return parallel;
    }

    boolean isClosed() {
        return closed;
    }

    void setParallel(boolean parallel) {
        this.parallel = parallel;
    }

    /** Starts the JDK's stream of a pipeline's elements. */
    BaseStream<?, ?> start(Pipeline pipeline) {
        StreamExecution started = execution(pipeline);
        execution = started;
        cursor = started.cursor();
        return started.stream(cursor);
    }

    /** Returns the execution of a pipeline for the terminal operation as far as it is known. */
    StreamExecution execution(Pipeline pipeline) {
        return StreamExecution.of(
                pipeline, new RowDemand(parallel, inKeyOrder, outlivesTerminal, mostElements));
    }

    /** Returns the cursor of the stream that was started. */
    SharedCursor cursor() {
        return requireNonNull(cursor);
    }

    /** Returns the execution that was started; null where the engine answered alone. */
    @Nullable StreamExecution execution() {
        return execution;
    }

    /** Adds a reason why the JVM does what an engine could. */
    void because(String reason) {
        reasons = longer(reasons, reason);
    }

    private static <X> List<X> longer(List<X> some, X one) {
        List<X> more = some.isEmpty() ? new ArrayList<>() : some;
        more.add(one);
        return more;
    }

    /** Notes the terminal operation that reads the rows. */
    void readBy(String terminal) {
        this.terminal = terminal;
    }

    /** Notes a collector of the rows that does not tell of fields. */
    void collectsBy(Collector<?, ?, ?> collector) {
        this.collector = collector;
    }

    @Nullable Collector<?, ?, ?> collector() {
        return collector;
    }

    @Nullable String terminal() {
        return terminal;
    }

    List<String> reasons() {
        return reasons;
    }

    /** Asks for rows in the order of the key, if in no other, because the terminal operation chooses by place. */
    void keepKeyOrder() {
        inKeyOrder = true;
    }

    /**
     * Notes that the result of the terminal operation reads on after it, so that nobody is sure to close the cursor.
     */
    void outliveTerminal() {
        outlivesTerminal = true;
    }

    /** Notes that the terminal operation looks at one element alone, the first in their order or any. */
    void readOne(boolean inOrder) {
        mostElements = 1;
        inKeyOrder |= inOrder;
    }

    /** Runs a terminal operation, after which the cursor is closed. */
    <X extends @Nullable Object> X end(Supplier<X> terminal) {
        Throwable failure = null;
        try {
            return terminal.get();
        } catch (RuntimeException | Error e) {
            failure = e;
            throw e;
        } finally {
            closeCursor(failure);
        }
    }

    /** Closes the cursor, if there is one; a failure of that is suppressed in the one that there was before. */
    private void closeCursor(@Nullable Throwable failure) {
        if (cursor != null) {
            cursor.close(failure);
        }
    }

    void onClose(Runnable handler) {
        if (handlers == null) {
            handlers = new ArrayList<>();
        }
        handlers.add(handler);
    }

    /** Closes the streams whose values a condition compares with when this one is closed. */
    public void closeWith(Condition<?> condition) {
        if (condition.fieldCondition() == null) {
            Subquery.each(
                    condition.predicate(),
                    in -> {
                        if (in.subquery() instanceof StreamSubquery subquery) {
                            onClose(subquery::close);
                        }
                    });
        }
    }

    /** Closes likewise the streams of all conditions in what the JVM tests or collects by, and notes the conditions. */
    void closeWithAll(Object code) {
        for (Condition<?> condition : GivenConditions.of(code)) {
            closeWith(condition);
            given = longer(given(), condition);
        }
    }

    /** Returns the conditions in what the JVM was given to test or to collect by. */
    List<Condition<?>> given() {
        return given == null ? List.of() : given;
    }

    /**
     * Closes the cursor and runs every handler, in order, once; the first failure is thrown and has the others
     * suppressed.
     */
    void close() {
        closed = true;
        Throwable failure = attempt(() -> closeCursor(null), null);
        List<Runnable> all = handlers == null ? List.of() : handlers;
        handlers = null;
        for (Runnable handler : all) {
            failure = attempt(handler, failure);
        }
        switch (failure) {
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case null, default -> {}
        }
    }

    private static @Nullable Throwable attempt(Runnable action, @Nullable Throwable before) {
        try {
            action.run();
            return before;
        } catch (RuntimeException | Error e) {
            if (before == null) {
                return e;
            }
            if (!before.equals(e)) {
                before.addSuppressed(e);
            }
            return before;
        }
    }
}
