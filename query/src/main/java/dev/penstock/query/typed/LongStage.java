package dev.penstock.query.typed;

import static java.util.Objects.requireNonNull;

import java.util.LongSummaryStatistics;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.PrimitiveIterator;
import java.util.Spliterator;
import java.util.function.BiConsumer;
import java.util.function.LongBinaryOperator;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;
import java.util.function.LongPredicate;
import java.util.function.LongToDoubleFunction;
import java.util.function.LongToIntFunction;
import java.util.function.LongUnaryOperator;
import java.util.function.ObjLongConsumer;
import java.util.function.Supplier;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A stage of longs, see {@link Stage}. */
class LongStage extends Stage<Long, LongStream> implements LongStream {
    LongStage(Run run, @Nullable LongStream wrapped) {
        super(run, wrapped);
    }

    @Override
    final LongStream self() {
        return this;
    }

    @Override
    final LongStream wrap(LongStream stream) {
        return new LongStage(run, stream);
    }

    @Override
    public LongStream filter(LongPredicate predicate) {
        return wrap(next("filter", predicate).filter(predicate));
    }

    @Override
    public LongStream map(LongUnaryOperator mapper) {
        return wrap(next("map", mapper).map(mapper));
    }

    @Override
    public <U> Stream<U> mapToObj(LongFunction<? extends U> mapper) {
        return new RowStage<>(run, next("mapToObj", mapper).mapToObj(mapper));
    }

    @Override
    public IntStream mapToInt(LongToIntFunction mapper) {
        return new IntStage(run, next("mapToInt", mapper).mapToInt(mapper));
    }

    @Override
    public DoubleStream mapToDouble(LongToDoubleFunction mapper) {
        return new DoubleStage(run, next("mapToDouble", mapper).mapToDouble(mapper));
    }

    @Override
    public LongStream flatMap(LongFunction<? extends LongStream> mapper) {
        return wrap(next("flatMap", mapper).flatMap(mapper));
    }

    @Override
    public LongStream mapMulti(LongMapMultiConsumer mapper) {
        return wrap(next("mapMulti", mapper).mapMulti(mapper));
    }

    @Override
    public LongStream distinct() {
        return wrap(next("distinct").distinct());
    }

    @Override
    public LongStream sorted() {
        return wrap(next("sorted").sorted());
    }

    @Override
    public LongStream peek(LongConsumer action) {
        return wrap(next("peek", action).peek(action));
    }

    @Override
    public LongStream limit(long rows) {
        notNegative("limit", rows);
        return wrap(cut("limit").limit(rows));
    }

    @Override
    public LongStream skip(long rows) {
        notNegative("skip", rows);
        return wrap(cut("skip").skip(rows));
    }

    @Override
    public LongStream takeWhile(LongPredicate predicate) {
        requireNonNull(predicate);
        return wrap(cut("takeWhile").takeWhile(predicate));
    }

    @Override
    public LongStream dropWhile(LongPredicate predicate) {
        requireNonNull(predicate);
        return wrap(cut("dropWhile").dropWhile(predicate));
    }

    @Override
    public DoubleStream asDoubleStream() {
        return new DoubleStage(run, next("asDoubleStream").asDoubleStream());
    }

    @Override
    public Stream<Long> boxed() {
        return new RowStage<>(run, next("boxed").boxed());
    }

    @Override
    public void forEach(LongConsumer action) {
        LongStream all = last("forEach", action);
        finish(() -> all.forEach(action));
    }

    @Override
    public void forEachOrdered(LongConsumer action) {
        LongStream all = last("forEachOrdered", action);
        finish(() -> all.forEachOrdered(action));
    }

    @Override
    public long[] toArray() {
        LongStream all = last("toArray");
        return end(() -> all.toArray());
    }

    @Override
    public long reduce(long identity, LongBinaryOperator accumulator) {
        LongStream all = last("reduce", accumulator);
        return end(() -> all.reduce(identity, accumulator));
    }

    @Override
    public OptionalLong reduce(LongBinaryOperator accumulator) {
        LongStream all = last("reduce", accumulator);
        return end(() -> all.reduce(accumulator));
    }

    @Override
    public <U> U collect(
            Supplier<U> supplier, ObjLongConsumer<U> accumulator, BiConsumer<U, U> combiner) {
        LongStream all = last("collect", supplier);
        return end(() -> all.collect(supplier, accumulator, combiner));
    }

    @Override
    public long sum() {
        LongStream all = last("sum");
        return end(() -> all.sum());
    }

    @Override
    public OptionalLong min() {
        LongStream all = last("min");
        return end(() -> all.min());
    }

    @Override
    public OptionalLong max() {
        LongStream all = last("max");
        return end(() -> all.max());
    }

    @Override
    public long count() {
        LongStream all = last("count");
        return end(() -> all.count());
    }

    @Override
    public OptionalDouble average() {
        LongStream all = last("average");
        return end(() -> all.average());
    }

    @Override
    public LongSummaryStatistics summaryStatistics() {
        LongStream all = last("summaryStatistics");
        return end(() -> all.summaryStatistics());
    }

    @Override
    public boolean anyMatch(LongPredicate predicate) {
        LongStream all = last("anyMatch", predicate);
        return end(() -> all.anyMatch(predicate));
    }

    @Override
    public boolean allMatch(LongPredicate predicate) {
        LongStream all = last("allMatch", predicate);
        return end(() -> all.allMatch(predicate));
    }

    @Override
    public boolean noneMatch(LongPredicate predicate) {
        LongStream all = last("noneMatch", predicate);
        return end(() -> all.noneMatch(predicate));
    }

    @Override
    public OptionalLong findFirst() {
        run.keepKeyOrder();
        LongStream all = last("findFirst");
        return end(() -> all.findFirst());
    }

    @Override
    public OptionalLong findAny() {
        LongStream all = last("findAny");
        return end(() -> all.findAny());
    }

    @Override
    public PrimitiveIterator.OfLong iterator() {
        return last("iterator").iterator();
    }

    @Override
    public Spliterator.OfLong spliterator() {
        return last("spliterator").spliterator();
    }

    @Override
    public LongStream sequential() {
        return super.sequential();
    }

    @Override
    public LongStream parallel() {
        return super.parallel();
    }
}
