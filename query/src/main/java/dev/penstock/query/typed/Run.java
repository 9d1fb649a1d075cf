package dev.penstock.query.typed;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collector;
import org.jspecify.annotations.Nullable;

/**
 * What the stages of one stream share, from {@link TypedTable#stream} to the terminal operation: whether it is parallel, the handlers
 * of {@code onClose}, and the cursor. Used as streams are, by one thread.
 */
final class Run {
    private boolean parallel;
    private boolean closed;
    private boolean inKeyOrder;
    private boolean outlivesTerminal;
    private @Nullable List<Runnable> handlers;
    private long mostElements = Long.MAX_VALUE;
    private @Nullable Execution execution;
    private @Nullable Feed feed;
    private @Nullable String terminal;
    private @Nullable Collector<?, ?, ?> collector;

    /** Why the JVM does what it does, for {@code explain}. */
    private List<String> reasons = List.of();

    /** That of a stream that is parallel, or is not. */
    static Run of(boolean parallel) {
        Run run = new Run();
        run.parallel = parallel;
        return run;
    }

    boolean isParallel() {
        return parallel;
    }

    boolean isClosed() {
        return closed;
    }

    void setParallel(boolean parallel) {
        this.parallel = parallel;
    }

    /** The JDK's streams go on with a plan's rows. */
    void runs(Execution execution) {
        this.execution = execution;
    }

    @Nullable Execution execution() {
        return execution;
    }

    /** Why the JVM does something that a database could do. */
    void because(String reason) {
        reasons = longer(reasons, reason);
    }

    private static List<String> longer(List<String> some, String one) {
        List<String> more = some.isEmpty() ? new ArrayList<>() : some;
        more.add(one);
        return more;
    }

    /** The terminal operation that reads the rows. */
    void readBy(String terminal) {
        this.terminal = terminal;
    }

    /** What gathers the rows, where that is a collector that says nothing of fields. */
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

    /** Rows are to come in the order of the key, if in no other, because the terminal operation chooses by place. */
    void keepKeyOrder() {
        inKeyOrder = true;
    }

    boolean isInKeyOrder() {
        return inKeyOrder;
    }

    /** What the terminal operation gives reads on after it: nobody is sure to close the cursor. */
    void outliveTerminal() {
        outlivesTerminal = true;
    }

    boolean outlivesTerminal() {
        return outlivesTerminal;
    }

    /** The terminal operation looks at one element alone, the first in their order or any. */
    void readOne(boolean inOrder) {
        mostElements = 1;
        inKeyOrder |= inOrder;
    }

    long mostElements() {
        return mostElements;
    }

    void reads(Feed feed) {
        this.feed = feed;
    }

    /** Gives the cursor back, if there is one; what fails in that is told by the failure that there was before. */
    void end(@Nullable Throwable failure) {
        if (feed != null) {
            feed.close(failure);
        }
    }

    void onClose(Runnable handler) {
        if (handlers == null) {
            handlers = new ArrayList<>();
        }
        handlers.add(handler);
    }

    /** Gives the cursor back and runs every handler, in order, once; the first failure is thrown and has the others suppressed. */
    void close() {
        closed = true;
        Throwable failure = attempt(() -> end(null), null);
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
