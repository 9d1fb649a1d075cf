package dev.penstock.query.typed.stream;

import static java.util.Objects.requireNonNull;

import dev.penstock.query.typed.execute.JvmOperation;
import dev.penstock.query.typed.execute.Pipeline;
import java.util.Iterator;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.BaseStream;
import org.jspecify.annotations.Nullable;

/**
 * A stage of a stream that closes its cursor at the end. The operations are kept until the terminal one, which makes
 * the JDK's stream that does the work. That does not tell its source when nobody pulls any more, so that every terminal
 * operation is run here, and closes the cursor whether it returns or throws. The results of {@code iterator} and
 * {@code spliterator} close it at their end, when they fail, or by {@code close()}.
 */
abstract class Stage<T, S extends BaseStream<T, S>> implements BaseStream<T, S> {
    protected final StreamContext context;
    private final @Nullable Pipeline pipeline;
    private boolean linked;

    Stage(StreamContext context, @Nullable Pipeline pipeline) {
        this.context = context;
        this.pipeline = pipeline;
    }

    /** Returns the pipeline of this stage's elements. */
    Pipeline pipeline() {
        return requireNonNull(pipeline);
    }

    /** Makes the JDK's stream of this stage's elements. */
    @SuppressWarnings("unchecked") // the pipeline gives elements of T
    final S wrapped() {
        return (S) context.start(pipeline());
    }

    /** Returns this stage. */
    abstract S self();

    /** Returns a stage after this one, of the same shape. */
    abstract S wrap(Pipeline pipeline);

    /** Marks this stage as used; fails if it was used before. */
    protected final void link() {
        if (linked || context.isClosed()) {
            throw new IllegalStateException(
                    "stream has already been operated upon or closed; a table gives a new one by stream()");
        }
        linked = true;
    }

    /** Returns the pipeline after an operation that takes an argument. */
    final Pipeline next(
            String operation, @Nullable Object argument, Function<S, BaseStream<?, ?>> apply) {
        requireNonNull(argument, operation);
        return next(operation, apply);
    }

    final Pipeline next(String operation, Function<S, BaseStream<?, ?>> apply) {
        return then(operation, JvmOperation.Kind.OTHER, 0, apply);
    }

    /** Returns the pipeline after an operation that gives one element for each. */
    final Pipeline each(
            String operation, @Nullable Object argument, Function<S, BaseStream<?, ?>> apply) {
        requireNonNull(argument, operation);
        return each(operation, apply);
    }

    final Pipeline each(String operation, Function<S, BaseStream<?, ?>> apply) {
        return then(operation, JvmOperation.Kind.ONE_TO_ONE, 0, apply);
    }

    /** Returns the pipeline after an operation that sorts stably. */
    final Pipeline sort(
            String operation, @Nullable Object argument, Function<S, BaseStream<?, ?>> apply) {
        requireNonNull(argument, operation);
        return sort(operation, apply);
    }

    final Pipeline sort(String operation, Function<S, BaseStream<?, ?>> apply) {
        return then(operation, JvmOperation.Kind.SORT, 0, apply);
    }

    /** Returns the pipeline after a skip or a limit. */
    final Pipeline slice(JvmOperation.Kind kind, long rows, Function<S, BaseStream<?, ?>> apply) {
        String operation = kind == JvmOperation.Kind.SKIP ? "skip" : "limit";
        return then(operation, kind, notNegative(operation, rows), apply);
    }

    /** Returns the pipeline after another operation that leaves elements out by their place. */
    final Pipeline cut(
            String operation, @Nullable Object argument, Function<S, BaseStream<?, ?>> apply) {
        requireNonNull(argument, operation);
        return then(operation, JvmOperation.Kind.CUT, 0, apply);
    }

    @SuppressWarnings("unchecked") // the stream is of this stage's shape
    private Pipeline then(
            String operation,
            JvmOperation.Kind kind,
            long rows,
            Function<S, BaseStream<?, ?>> apply) {
        link();
        return pipeline()
                .then(
                        new JvmOperation(
                                operation, kind, rows, true, stream -> apply.apply((S) stream)));
    }

    /** Makes the JDK's stream for a terminal operation that takes an argument. */
    final S last(String operation, @Nullable Object argument) {
        requireNonNull(argument, operation);
        return last(operation);
    }

    final S last(String operation) {
        return terminal(operation, () -> {});
    }

    /** A stage that was used before has no say in how the one after it is run. */
    private S terminal(String operation, Runnable demand) {
        link();
        demand.run();
        context.readBy(operation);
        return wrapped();
    }

    /** Makes the JDK's stream for a terminal operation that chooses by place among elements that compare as equal. */
    final S inOrder(String operation, @Nullable Object argument) {
        requireNonNull(argument, operation);
        return terminal(operation, context::keepKeyOrder);
    }

    /** Makes the JDK's stream for a terminal operation that looks at one element. */
    final S first(String operation, boolean inOrder) {
        return terminal(operation, () -> context.readOne(inOrder));
    }

    /** Makes the JDK's stream for a terminal operation whose result reads on. */
    final S outliving(String operation) {
        return terminal(operation, context::outliveTerminal);
    }

    /** Runs a terminal operation of the JDK's stream, after which the cursor is closed. */
    final <X extends @Nullable Object> X end(S all, Function<S, X> terminal) {
        return context.end(() -> terminal.apply(all));
    }

    final void finish(S all, Consumer<S> terminal) {
        Object ignored =
                context.end(() -> {
                    terminal.accept(all);
                    return null;
                });
    }

    protected static long notNegative(String operation, long rows) {
        if (rows < 0) {
            throw new IllegalArgumentException(
                    operation + "(" + rows + "): a stream has no negative number of elements");
        }
        return rows;
    }

    @Override
    public Iterator<T> iterator() {
        return Spliterators.iterator(closing(outliving("iterator")));
    }

    @Override
    public Spliterator<T> spliterator() {
        return closing(outliving("spliterator"));
    }

    private Spliterator<T> closing(S all) {
        return new ClosingSpliterator<>(context.cursor(), all.spliterator());
    }

    @Override
    public final boolean isParallel() {
        return context.isParallel();
    }

    @Override
    public S sequential() {
        context.setParallel(false);
        return self();
    }

    @Override
    public S parallel() {
        context.setParallel(true);
        return self();
    }

    @Override
    public S unordered() {
        return wrap(each("unordered", s -> s.unordered()));
    }

    @Override
    public final S onClose(Runnable handler) {
        requireNonNull(handler);
        if (linked || context.isClosed()) {
            link();
        }
        context.onClose(handler);
        return self();
    }

    @Override
    public final void close() {
        linked = true;
        context.close();
    }
}
