package dev.penstock.query.typed.stream;

import dev.penstock.query.typed.execute.JvmOperation;
import dev.penstock.query.typed.execute.Pipeline;
import java.util.IntSummaryStatistics;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.PrimitiveIterator;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.BiConsumer;
import java.util.function.IntBinaryOperator;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntToLongFunction;
import java.util.function.IntUnaryOperator;
import java.util.function.ObjIntConsumer;
import java.util.function.Supplier;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A stage of ints, see {@link Stage}. */
class IntStage extends Stage<Integer, IntStream> implements IntStream {
    IntStage(StreamContext context, @Nullable Pipeline pipeline) {
        super(context, pipeline);
    }

    @Override
    final IntStream self() {
        return this;
    }

    @Override
    final IntStream wrap(Pipeline pipeline) {
        return new IntStage(context, pipeline);
    }

    @Override
    public IntStream filter(IntPredicate predicate) {
        return wrap(next("filter", predicate, s -> s.filter(predicate)));
    }

    @Override
    public IntStream map(IntUnaryOperator mapper) {
        return wrap(each("map", mapper, s -> s.map(mapper)));
    }

    @Override
    public <U> Stream<U> mapToObj(IntFunction<? extends U> mapper) {
        return new RowStage<>(context, each("mapToObj", mapper, s -> s.mapToObj(mapper)));
    }

    @Override
    public LongStream mapToLong(IntToLongFunction mapper) {
        return new LongStage(context, each("mapToLong", mapper, s -> s.mapToLong(mapper)));
    }

    @Override
    public DoubleStream mapToDouble(IntToDoubleFunction mapper) {
        return new DoubleStage(context, each("mapToDouble", mapper, s -> s.mapToDouble(mapper)));
    }

    @Override
    public IntStream flatMap(IntFunction<? extends IntStream> mapper) {
        return wrap(next("flatMap", mapper, s -> s.flatMap(mapper)));
    }

    @Override
    public IntStream mapMulti(IntMapMultiConsumer mapper) {
        return wrap(next("mapMulti", mapper, s -> s.mapMulti(mapper)));
    }

    @Override
    public IntStream distinct() {
        return wrap(next("distinct", s -> s.distinct()));
    }

    @Override
    public IntStream sorted() {
        return wrap(next("sorted", s -> s.sorted()));
    }

    @Override
    public IntStream peek(IntConsumer action) {
        return wrap(each("peek", action, s -> s.peek(action)));
    }

    @Override
    public IntStream limit(long rows) {
        return wrap(slice(JvmOperation.Kind.LIMIT, rows, s -> s.limit(rows)));
    }

    @Override
    public IntStream skip(long rows) {
        return wrap(slice(JvmOperation.Kind.SKIP, rows, s -> s.skip(rows)));
    }

    @Override
    public IntStream takeWhile(IntPredicate predicate) {
        return wrap(cut("takeWhile", predicate, s -> s.takeWhile(predicate)));
    }

    @Override
    public IntStream dropWhile(IntPredicate predicate) {
        return wrap(cut("dropWhile", predicate, s -> s.dropWhile(predicate)));
    }

    @Override
    public LongStream asLongStream() {
        return new LongStage(context, each("asLongStream", s -> s.asLongStream()));
    }

    @Override
    public DoubleStream asDoubleStream() {
        return new DoubleStage(context, each("asDoubleStream", s -> s.asDoubleStream()));
    }

    @Override
    public Stream<Integer> boxed() {
        return new RowStage<>(context, each("boxed", s -> s.boxed()));
    }

    @Override
    public void forEach(IntConsumer action) {
        finish(last("forEach", action), all -> all.forEach(action));
    }

    @Override
    public void forEachOrdered(IntConsumer action) {
        finish(last("forEachOrdered", action), all -> all.forEachOrdered(action));
    }

    @Override
    public int[] toArray() {
        return end(last("toArray"), all -> all.toArray());
    }

    @Override
    public int reduce(int identity, IntBinaryOperator accumulator) {
        return end(last("reduce", accumulator), all -> all.reduce(identity, accumulator));
    }

    @Override
    public OptionalInt reduce(IntBinaryOperator accumulator) {
        return end(last("reduce", accumulator), all -> all.reduce(accumulator));
    }

    @Override
    public <U> U collect(
            Supplier<U> supplier, ObjIntConsumer<U> accumulator, BiConsumer<U, U> combiner) {
        return end(last("collect", supplier), all -> all.collect(supplier, accumulator, combiner));
    }

    @Override
    public int sum() {
        return end(last("sum"), all -> all.sum());
    }

    @Override
    public OptionalInt min() {
        return end(last("min"), all -> all.min());
    }

    @Override
    public OptionalInt max() {
        return end(last("max"), all -> all.max());
    }

    @Override
    public long count() {
        return end(last("count"), all -> all.count());
    }

    @Override
    public OptionalDouble average() {
        return end(last("average"), all -> all.average());
    }

    @Override
    public IntSummaryStatistics summaryStatistics() {
        return end(last("summaryStatistics"), all -> all.summaryStatistics());
    }

    @Override
    public boolean anyMatch(IntPredicate predicate) {
        return end(last("anyMatch", predicate), all -> all.anyMatch(predicate));
    }

    @Override
    public boolean allMatch(IntPredicate predicate) {
        return end(last("allMatch", predicate), all -> all.allMatch(predicate));
    }

    @Override
    public boolean noneMatch(IntPredicate predicate) {
        return end(last("noneMatch", predicate), all -> all.noneMatch(predicate));
    }

    @Override
    public OptionalInt findFirst() {
        return end(first("findFirst", true), all -> all.findFirst());
    }

    @Override
    public OptionalInt findAny() {
        return end(first("findAny", false), all -> all.findAny());
    }

    @Override
    public PrimitiveIterator.OfInt iterator() {
        return Spliterators.iterator(closing(outliving("iterator")));
    }

    @Override
    public Spliterator.OfInt spliterator() {
        return closing(outliving("spliterator"));
    }

    private Spliterator.OfInt closing(IntStream all) {
        return new ClosingIntSpliterator(context.cursor(), all.spliterator());
    }

    @Override
    public IntStream sequential() {
        return super.sequential();
    }

    @Override
    public IntStream parallel() {
        return super.parallel();
    }
}
