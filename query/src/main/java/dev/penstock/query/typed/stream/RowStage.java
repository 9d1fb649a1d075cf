package dev.penstock.query.typed.stream;

import dev.penstock.query.typed.execute.JvmOperation;
import dev.penstock.query.typed.execute.Pipeline;
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
class RowStage<T> extends Stage<T, Stream<T>> implements Stream<T> {
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
    public Stream<T> filter(Predicate<? super T> predicate) {
        return wrap(next("filter", predicate, s -> s.filter(predicate)));
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
        return wrap(cut("takeWhile", predicate, s -> s.takeWhile(predicate)));
    }

    @Override
    public Stream<T> dropWhile(Predicate<? super T> predicate) {
        return wrap(cut("dropWhile", predicate, s -> s.dropWhile(predicate)));
    }

    @Override
    public void forEach(Consumer<? super T> action) {
        Stream<T> all = last("forEach", action);
        finish(() -> all.forEach(action));
    }

    @Override
    public void forEachOrdered(Consumer<? super T> action) {
        Stream<T> all = last("forEachOrdered", action);
        finish(() -> all.forEachOrdered(action));
    }

    @Override
    public Object[] toArray() {
        Stream<T> all = last("toArray");
        return end(() -> all.toArray());
    }

    @Override
    public <A> A[] toArray(IntFunction<A[]> generator) {
        Stream<T> all = last("toArray", generator);
        return end(() -> all.toArray(generator));
    }

    @Override
    public List<T> toList() {
        Stream<T> all = last("toList");
        return end(() -> all.toList());
    }

    @Override
    public T reduce(T identity, BinaryOperator<T> accumulator) {
        Stream<T> all = last("reduce", accumulator);
        return end(() -> all.reduce(identity, accumulator));
    }

    @Override
    public Optional<T> reduce(BinaryOperator<T> accumulator) {
        Stream<T> all = last("reduce", accumulator);
        return end(() -> all.reduce(accumulator));
    }

    @Override
    public <U> U reduce(
            U identity, BiFunction<U, ? super T, U> accumulator, BinaryOperator<U> combiner) {
        Stream<T> all = last("reduce", accumulator);
        return end(() -> all.reduce(identity, accumulator, combiner));
    }

    @Override
    public <U> U collect(
            Supplier<U> supplier, BiConsumer<U, ? super T> accumulator, BiConsumer<U, U> combiner) {
        Stream<T> all = last("collect", supplier);
        return end(() -> all.collect(supplier, accumulator, combiner));
    }

    @Override
    public <U, A> U collect(Collector<? super T, A, U> collector) {
        Stream<T> all = last("collect", collector);
        return end(() -> all.collect(collector));
    }

    @Override
    public Optional<T> min(Comparator<? super T> comparator) {
        Stream<T> all = inOrder("min", comparator);
        return end(() -> all.min(comparator));
    }

    @Override
    public Optional<T> max(Comparator<? super T> comparator) {
        Stream<T> all = inOrder("max", comparator);
        return end(() -> all.max(comparator));
    }

    @Override
    public long count() {
        Stream<T> all = last("count");
        return end(() -> all.count());
    }

    @Override
    public boolean anyMatch(Predicate<? super T> predicate) {
        Stream<T> all = last("anyMatch", predicate);
        return end(() -> all.anyMatch(predicate));
    }

    @Override
    public boolean allMatch(Predicate<? super T> predicate) {
        Stream<T> all = last("allMatch", predicate);
        return end(() -> all.allMatch(predicate));
    }

    @Override
    public boolean noneMatch(Predicate<? super T> predicate) {
        Stream<T> all = last("noneMatch", predicate);
        return end(() -> all.noneMatch(predicate));
    }

    @Override
    public Optional<T> findFirst() {
        Stream<T> all = first("findFirst", true);
        return end(() -> all.findFirst());
    }

    @Override
    public Optional<T> findAny() {
        Stream<T> all = first("findAny", false);
        return end(() -> all.findAny());
    }
}
