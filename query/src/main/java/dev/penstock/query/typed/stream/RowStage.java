package dev.penstock.query.typed.stream;

import static java.util.Objects.requireNonNull;

import dev.penstock.query.typed.execute.JvmOperation;
import dev.penstock.query.typed.execute.Pipeline;
import dev.penstock.query.typed.subquery.StreamSubquery;
import dev.penstock.query.typed.subquery.SubqueryStream;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.function.DoubleConsumer;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Collector;
import java.util.stream.DoubleStream;
import java.util.stream.Gatherer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A stage of objects, see {@link Stage}. */
class RowStage<T> extends Stage<T, Stream<T>> implements Stream<T>, SubqueryStream {
    RowStage(StreamContext context, @Nullable Pipeline pipeline) {
        super(context, pipeline);
    }

    @Override
    final Stream<T> self() {
        return this;
    }

    @Override
    final Stream<T> wrap(Pipeline pipeline) {
        return new RowStage<>(context, pipeline);
    }

    @Override
    public final StreamSubquery subquery() {
        link();
        return new PipelineSubquery(context, pipeline());
    }

    @Override
    public Stream<T> filter(Predicate<? super T> predicate) {
        return tested(
                predicate,
                next(
                        "filter",
                        predicate,
                        s -> GivenConditions.known(s, predicate).filter(predicate)));
    }

    /** Returns the stage after an operation whose predicate may have conditions on the values of other streams. */
    private Stream<T> tested(Predicate<? super T> predicate, Pipeline pipeline) {
        context.closeWithAll(predicate);
        return wrap(pipeline);
    }

    @Override
    public <U> Stream<U> map(Function<? super T, ? extends U> mapper) {
        return new RowStage<>(context, each("map", mapper, s -> s.map(mapper)));
    }

    @Override
    public IntStream mapToInt(ToIntFunction<? super T> mapper) {
        return new IntStage(context, each("mapToInt", mapper, s -> s.mapToInt(mapper)));
    }

    @Override
    public LongStream mapToLong(ToLongFunction<? super T> mapper) {
        return new LongStage(context, each("mapToLong", mapper, s -> s.mapToLong(mapper)));
    }

    @Override
    public DoubleStream mapToDouble(ToDoubleFunction<? super T> mapper) {
        return new DoubleStage(context, each("mapToDouble", mapper, s -> s.mapToDouble(mapper)));
    }

    @Override
    public <U> Stream<U> flatMap(Function<? super T, ? extends Stream<? extends U>> mapper) {
        return new RowStage<>(context, next("flatMap", mapper, s -> s.flatMap(mapper)));
    }

    @Override
    public IntStream flatMapToInt(Function<? super T, ? extends IntStream> mapper) {
        return new IntStage(context, next("flatMapToInt", mapper, s -> s.flatMapToInt(mapper)));
    }

    @Override
    public LongStream flatMapToLong(Function<? super T, ? extends LongStream> mapper) {
        return new LongStage(context, next("flatMapToLong", mapper, s -> s.flatMapToLong(mapper)));
    }

    @Override
    public DoubleStream flatMapToDouble(Function<? super T, ? extends DoubleStream> mapper) {
        return new DoubleStage(
                context, next("flatMapToDouble", mapper, s -> s.flatMapToDouble(mapper)));
    }

    @Override
    public <U> Stream<U> mapMulti(BiConsumer<? super T, ? super Consumer<U>> mapper) {
        return new RowStage<>(context, next("mapMulti", mapper, s -> s.mapMulti(mapper)));
    }

    @Override
    public IntStream mapMultiToInt(BiConsumer<? super T, ? super IntConsumer> mapper) {
        return new IntStage(context, next("mapMultiToInt", mapper, s -> s.mapMultiToInt(mapper)));
    }

    @Override
    public LongStream mapMultiToLong(BiConsumer<? super T, ? super LongConsumer> mapper) {
        return new LongStage(
                context, next("mapMultiToLong", mapper, s -> s.mapMultiToLong(mapper)));
    }

    @Override
    public DoubleStream mapMultiToDouble(BiConsumer<? super T, ? super DoubleConsumer> mapper) {
        return new DoubleStage(
                context, next("mapMultiToDouble", mapper, s -> s.mapMultiToDouble(mapper)));
    }

    @Override
    public <U> Stream<U> gather(Gatherer<? super T, ?, U> gatherer) {
        return new RowStage<>(context, next("gather", gatherer, s -> s.gather(gatherer)));
    }

    @Override
    public Stream<T> distinct() {
        return wrap(next("distinct", s -> s.distinct()));
    }

    @Override
    public Stream<T> sorted() {
        return wrap(sort("sorted", s -> s.sorted()));
    }

    @Override
    public Stream<T> sorted(Comparator<? super T> comparator) {
        return wrap(sort("sorted", comparator, s -> s.sorted(comparator)));
    }

    @Override
    public Stream<T> peek(Consumer<? super T> action) {
        return wrap(each("peek", action, s -> s.peek(action)));
    }

    @Override
    public Stream<T> limit(long rows) {
        return wrap(slice(JvmOperation.Kind.LIMIT, rows, s -> s.limit(rows)));
    }

    @Override
    public Stream<T> skip(long rows) {
        return wrap(slice(JvmOperation.Kind.SKIP, rows, s -> s.skip(rows)));
    }

    @Override
    public Stream<T> takeWhile(Predicate<? super T> predicate) {
        return tested(
                predicate,
                cut(
                        "takeWhile",
                        predicate,
                        s -> GivenConditions.known(s, predicate).takeWhile(predicate)));
    }

    @Override
    public Stream<T> dropWhile(Predicate<? super T> predicate) {
        return tested(
                predicate,
                cut(
                        "dropWhile",
                        predicate,
                        s -> GivenConditions.known(s, predicate).dropWhile(predicate)));
    }

    @Override
    public void forEach(Consumer<? super T> action) {
        finish(last("forEach", action), all -> all.forEach(action));
    }

    @Override
    public void forEachOrdered(Consumer<? super T> action) {
        finish(last("forEachOrdered", action), all -> all.forEachOrdered(action));
    }

    @Override
    public Object[] toArray() {
        return end(last("toArray"), all -> all.toArray());
    }

    @Override
    public <A> A[] toArray(IntFunction<A[]> generator) {
        return end(last("toArray", generator), all -> all.toArray(generator));
    }

    @Override
    public List<T> toList() {
        return end(last("toList"), all -> all.toList());
    }

    @Override
    public T reduce(T identity, BinaryOperator<T> accumulator) {
        return end(last("reduce", accumulator), all -> all.reduce(identity, accumulator));
    }

    @Override
    public Optional<T> reduce(BinaryOperator<T> accumulator) {
        return end(last("reduce", accumulator), all -> all.reduce(accumulator));
    }

    @Override
    public <U> U reduce(
            U identity, BiFunction<U, ? super T, U> accumulator, BinaryOperator<U> combiner) {
        return end(last("reduce", accumulator), all -> all.reduce(identity, accumulator, combiner));
    }

    @Override
    public <U> U collect(
            Supplier<U> supplier, BiConsumer<U, ? super T> accumulator, BiConsumer<U, U> combiner) {
        return end(last("collect", supplier), all -> all.collect(supplier, accumulator, combiner));
    }

    @Override
    public <U, A> U collect(Collector<? super T, A, U> collector) {
        requireNonNull(collector, "collect");
        link();
        context.closeWithAll(collector);
        return collected(collector);
    }

    /** Collects the elements of this stage, which is marked as used. */
    final <U, A> U collected(Collector<? super T, A, U> collector) {
        context.readBy("collect");
        return end(wrapped(), all -> GivenConditions.known(all, collector).collect(collector));
    }

    @Override
    public Optional<T> min(Comparator<? super T> comparator) {
        return end(inOrder("min", comparator), all -> all.min(comparator));
    }

    @Override
    public Optional<T> max(Comparator<? super T> comparator) {
        return end(inOrder("max", comparator), all -> all.max(comparator));
    }

    @Override
    public long count() {
        return end(last("count"), all -> all.count());
    }

    @Override
    public boolean anyMatch(Predicate<? super T> predicate) {
        return match("anyMatch", predicate, all -> all.anyMatch(predicate));
    }

    @Override
    public boolean allMatch(Predicate<? super T> predicate) {
        return match("allMatch", predicate, all -> all.allMatch(predicate));
    }

    @Override
    public boolean noneMatch(Predicate<? super T> predicate) {
        return match("noneMatch", predicate, all -> all.noneMatch(predicate));
    }

    private boolean match(
            String operation, Predicate<? super T> predicate, Predicate<Stream<T>> terminal) {
        Stream<T> rows = last(operation, predicate);
        context.closeWithAll(predicate);
        return end(rows, all -> terminal.test(GivenConditions.known(all, predicate)));
    }

    @Override
    public Optional<T> findFirst() {
        return end(first("findFirst", true), all -> all.findFirst());
    }

    @Override
    public Optional<T> findAny() {
        return end(first("findAny", false), all -> all.findAny());
    }
}
