package dev.penstock.query.typed;

import static java.util.Objects.requireNonNull;

import java.util.Iterator;
import java.util.Spliterator;
import java.util.function.Supplier;
import java.util.stream.BaseStream;
import org.jspecify.annotations.Nullable;

/**
 * A stage of a stream that ends by closing its cursor. The JDK does the work, in a stream that this wraps; but it never tells a source that nobody
 * pulls any more, so that every terminal operation, whether it returns or throws, is watched here. {@code iterator} and {@code spliterator}
 * close at exhaustion or by {@code close()}.
 */
abstract class Stage<T, S extends BaseStream<T, S>> implements BaseStream<T, S> {
    final Run run;
    private final @Nullable S wrapped;
    private boolean linked;

    Stage(Run run, @Nullable S wrapped) {
        this.run = run;
        this.wrapped = wrapped;
    }

    /** The JDK's stream of the same elements. */
    S wrapped() {
        return requireNonNull(wrapped);
    }

    /** This stage. */
    abstract S self();

    /** The same elements in a stage after this one. */
    abstract S wrap(S stream);

    /** Takes this stage's one chance to be used. */
    final void link() {
        if (linked || run.isClosed()) {
            throw new IllegalStateException(
                    "stream has already been operated upon or closed; a table gives a new one by stream()");
        }
        linked = true;
    }

    /** The JDK's stream for an operation that takes an argument. */
    final S next(String operation, @Nullable Object argument) {
        requireNonNull(argument, operation);
        return next(operation);
    }

    final S next(String operation) {
        link();
        S stream = wrapped();
        run.operation(operation);
        return stream;
    }

    /** The JDK's stream for a terminal operation, which takes an argument. */
    final S last(String operation, @Nullable Object argument) {
        requireNonNull(argument, operation);
        return last(operation);
    }

    final S last(String operation) {
        link();
        S stream = wrapped();
        run.readBy(operation);
        return stream;
    }

    /** The same for an operation that cuts the stream: rows that have no order come in that of the key. */
    final S cut(String operation) {
        run.keepKeyOrder();
        return next(operation);
    }

    /** A terminal operation, after which the cursor is closed. */
    final <X extends @Nullable Object> X end(Supplier<X> terminal) {
        Throwable failure = null;
        try {
            return terminal.get();
        } catch (RuntimeException | Error e) {
            failure = e;
            throw e;
        } finally {
            run.end(failure);
        }
    }

    final void finish(Runnable terminal) {
        Throwable failure = null;
        try {
            terminal.run();
        } catch (RuntimeException | Error e) {
            failure = e;
            throw e;
        } finally {
            run.end(failure);
        }
    }

    static long notNegative(String operation, long rows) {
        if (rows < 0) {
            throw new IllegalArgumentException(
                    operation + "(" + rows + "): a stream has no negative number of elements");
        }
        return rows;
    }

    @Override
    public Iterator<T> iterator() {
        return last("iterator").iterator();
    }

    @Override
    public Spliterator<T> spliterator() {
        return last("spliterator").spliterator();
    }

    @Override
    public final boolean isParallel() {
        return run.isParallel();
    }

    @Override
    public S sequential() {
        run.setParallel(false);
        return self();
    }

    @Override
    public S parallel() {
        run.setParallel(true);
        return self();
    }

    @Override
    public S unordered() {
        return wrap(next("unordered").unordered());
    }

    @Override
    public final S onClose(Runnable handler) {
        requireNonNull(handler);
        if (linked || run.isClosed()) {
            link();
        }
        run.onClose(handler);
        return self();
    }

    @Override
    public final void close() {
        linked = true;
        run.close();
    }
}
