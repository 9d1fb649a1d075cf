package dev.penstock.query.typed.stream;

import dev.penstock.query.typed.execute.JvmOperation;
import dev.penstock.query.typed.execute.Pipeline;
import java.util.DoubleSummaryStatistics;
import java.util.OptionalDouble;
import java.util.PrimitiveIterator;
import java.util.Spliterator;
import java.util.function.BiConsumer;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleConsumer;
import java.util.function.DoubleFunction;
import java.util.function.DoublePredicate;
import java.util.function.DoubleToIntFunction;
import java.util.function.DoubleToLongFunction;
import java.util.function.DoubleUnaryOperator;
import java.util.function.ObjDoubleConsumer;
import java.util.function.Supplier;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A stage of doubles, see {@link Stage}. */
class DoubleStage extends Stage<Double, DoubleStream> implements DoubleStream {
    DoubleStage(StreamContext context, @Nullable Pipeline pipeline) {
        super(context, pipeline);
    }

    @Override
    final DoubleStream self() {
        return this;
    }

    @Override
    final DoubleStream wrap(Pipeline pipeline) {
        return new DoubleStage(context, pipeline);
    }

    @Override
    public DoubleStream filter(DoublePredicate predicate) {
        return wrap(next("filter", predicate, s -> s.filter(predicate)));
    }

    @Override
    public DoubleStream map(DoubleUnaryOperator mapper) {
        return wrap(each("map", mapper, s -> s.map(mapper)));
    }

    @Override
    public <U> Stream<U> mapToObj(DoubleFunction<? extends U> mapper) {
        return new RowStage<>(context, each("mapToObj", mapper, s -> s.mapToObj(mapper)));
    }

    @Override
    public IntStream mapToInt(DoubleToIntFunction mapper) {
        return new IntStage(context, each("mapToInt", mapper, s -> s.mapToInt(mapper)));
    }

    @Override
    public LongStream mapToLong(DoubleToLongFunction mapper) {
        return new LongStage(context, each("mapToLong", mapper, s -> s.mapToLong(mapper)));
    }

    @Override
    public DoubleStream flatMap(DoubleFunction<? extends DoubleStream> mapper) {
        return wrap(next("flatMap", mapper, s -> s.flatMap(mapper)));
    }

    @Override
    public DoubleStream mapMulti(DoubleMapMultiConsumer mapper) {
        return wrap(next("mapMulti", mapper, s -> s.mapMulti(mapper)));
    }

    @Override
    public DoubleStream distinct() {
        return wrap(next("distinct", s -> s.distinct()));
    }

    @Override
    public DoubleStream sorted() {
        return wrap(next("sorted", s -> s.sorted()));
    }

    @Override
    public DoubleStream peek(DoubleConsumer action) {
        return wrap(each("peek", action, s -> s.peek(action)));
    }

    @Override
    public DoubleStream limit(long rows) {
        return wrap(slice(JvmOperation.Kind.LIMIT, rows, s -> s.limit(rows)));
    }

    @Override
    public DoubleStream skip(long rows) {
        return wrap(slice(JvmOperation.Kind.SKIP, rows, s -> s.skip(rows)));
    }

    @Override
    public DoubleStream takeWhile(DoublePredicate predicate) {
        return wrap(cut("takeWhile", predicate, s -> s.takeWhile(predicate)));
    }

    @Override
    public DoubleStream dropWhile(DoublePredicate predicate) {
        return wrap(cut("dropWhile", predicate, s -> s.dropWhile(predicate)));
    }

    @Override
    public Stream<Double> boxed() {
        return new RowStage<>(context, each("boxed", s -> s.boxed()));
    }

    @Override
    public void forEach(DoubleConsumer action) {
        DoubleStream all = last("forEach", action);
        finish(() -> all.forEach(action));
    }

    @Override
    public void forEachOrdered(DoubleConsumer action) {
        DoubleStream all = last("forEachOrdered", action);
        finish(() -> all.forEachOrdered(action));
    }

    @Override
    public double[] toArray() {
        DoubleStream all = last("toArray");
        return end(() -> all.toArray());
    }

    @Override
    public double reduce(double identity, DoubleBinaryOperator accumulator) {
        DoubleStream all = last("reduce", accumulator);
        return end(() -> all.reduce(identity, accumulator));
    }

    @Override
    public OptionalDouble reduce(DoubleBinaryOperator accumulator) {
        DoubleStream all = last("reduce", accumulator);
        return end(() -> all.reduce(accumulator));
    }

    @Override
    public <U> U collect(
            Supplier<U> supplier, ObjDoubleConsumer<U> accumulator, BiConsumer<U, U> combiner) {
        DoubleStream all = last("collect", supplier);
        return end(() -> all.collect(supplier, accumulator, combiner));
    }

    @Override
    public double sum() {
        DoubleStream all = last("sum");
        return end(() -> all.sum());
    }

    @Override
    public OptionalDouble min() {
        DoubleStream all = last("min");
        return end(() -> all.min());
    }

    @Override
    public OptionalDouble max() {
        DoubleStream all = last("max");
        return end(() -> all.max());
    }

    @Override
    public long count() {
        DoubleStream all = last("count");
        return end(() -> all.count());
    }

    @Override
    public OptionalDouble average() {
        DoubleStream all = last("average");
        return end(() -> all.average());
    }

    @Override
    public DoubleSummaryStatistics summaryStatistics() {
        DoubleStream all = last("summaryStatistics");
        return end(() -> all.summaryStatistics());
    }

    @Override
    public boolean anyMatch(DoublePredicate predicate) {
        DoubleStream all = last("anyMatch", predicate);
        return end(() -> all.anyMatch(predicate));
    }

    @Override
    public boolean allMatch(DoublePredicate predicate) {
        DoubleStream all = last("allMatch", predicate);
        return end(() -> all.allMatch(predicate));
    }

    @Override
    public boolean noneMatch(DoublePredicate predicate) {
        DoubleStream all = last("noneMatch", predicate);
        return end(() -> all.noneMatch(predicate));
    }

    @Override
    public OptionalDouble findFirst() {
        DoubleStream all = first("findFirst", true);
        return end(() -> all.findFirst());
    }

    @Override
    public OptionalDouble findAny() {
        DoubleStream all = first("findAny", false);
        return end(() -> all.findAny());
    }

    @Override
    public PrimitiveIterator.OfDouble iterator() {
        return closing(outliving("iterator").iterator(), ClosingIterator.Doubles::new);
    }

    @Override
    public Spliterator.OfDouble spliterator() {
        return closing(outliving("spliterator").spliterator(), ClosingSpliterator.Doubles::new);
    }

    @Override
    public DoubleStream sequential() {
        return super.sequential();
    }

    @Override
    public DoubleStream parallel() {
        return super.parallel();
    }
}
