package dev.penstock.query.typed.stream;

import dev.penstock.query.typed.execute.JvmOperation;
import dev.penstock.query.typed.execute.Pipeline;
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
    LongStage(StreamContext context, @Nullable Pipeline pipeline) {
        super(context, pipeline);
    }

    @Override
    final LongStream self() {
        return this;
    }

    @Override
    final LongStream wrap(Pipeline pipeline) {
        return new LongStage(context, pipeline);
    }

    @Override
    public LongStream filter(LongPredicate predicate) {
        return wrap(next("filter", predicate, s -> s.filter(predicate)));
    }

    @Override
    public LongStream map(LongUnaryOperator mapper) {
        return wrap(each("map", mapper, s -> s.map(mapper)));
    }

    @Override
    public <U> Stream<U> mapToObj(LongFunction<? extends U> mapper) {
        return new RowStage<>(context, each("mapToObj", mapper, s -> s.mapToObj(mapper)));
    }

    @Override
    public IntStream mapToInt(LongToIntFunction mapper) {
        return new IntStage(context, each("mapToInt", mapper, s -> s.mapToInt(mapper)));
    }

    @Override
    public DoubleStream mapToDouble(LongToDoubleFunction mapper) {
        return new DoubleStage(context, each("mapToDouble", mapper, s -> s.mapToDouble(mapper)));
    }

    @Override
    public LongStream flatMap(LongFunction<? extends LongStream> mapper) {
        return wrap(next("flatMap", mapper, s -> s.flatMap(mapper)));
    }

    @Override
    public LongStream mapMulti(LongMapMultiConsumer mapper) {
        return wrap(next("mapMulti", mapper, s -> s.mapMulti(mapper)));
    }

    @Override
    public LongStream distinct() {
        return wrap(next("distinct", s -> s.distinct()));
    }

    @Override
    public LongStream sorted() {
        return wrap(next("sorted", s -> s.sorted()));
    }

    @Override
    public LongStream peek(LongConsumer action) {
        return wrap(each("peek", action, s -> s.peek(action)));
    }

    @Override
    public LongStream limit(long rows) {
        return wrap(slice(JvmOperation.Kind.LIMIT, rows, s -> s.limit(rows)));
    }

    @Override
    public LongStream skip(long rows) {
        return wrap(slice(JvmOperation.Kind.SKIP, rows, s -> s.skip(rows)));
    }

    @Override
    public LongStream takeWhile(LongPredicate predicate) {
        return wrap(cut("takeWhile", predicate, s -> s.takeWhile(predicate)));
    }

    @Override
    public LongStream dropWhile(LongPredicate predicate) {
        return wrap(cut("dropWhile", predicate, s -> s.dropWhile(predicate)));
    }

    @Override
    public DoubleStream asDoubleStream() {
        return new DoubleStage(context, each("asDoubleStream", s -> s.asDoubleStream()));
    }

    @Override
    public Stream<Long> boxed() {
        return new RowStage<>(context, each("boxed", s -> s.boxed()));
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
        LongStream all = first("findFirst", true);
        return end(() -> all.findFirst());
    }

    @Override
    public OptionalLong findAny() {
        LongStream all = first("findAny", false);
        return end(() -> all.findAny());
    }

    @Override
    public PrimitiveIterator.OfLong iterator() {
        return closing(outliving("iterator").iterator(), ClosingIterator.Longs::new);
    }

    @Override
    public Spliterator.OfLong spliterator() {
        return closing(outliving("spliterator").spliterator(), ClosingSpliterator.Longs::new);
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
