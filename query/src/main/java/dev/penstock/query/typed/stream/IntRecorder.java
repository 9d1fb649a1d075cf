package dev.penstock.query.typed.stream;

import dev.penstock.query.Cursor;
import dev.penstock.query.typed.execute.Pipeline;
import dev.penstock.query.typed.mapping.FieldReaders;
import dev.penstock.query.typed.pushdown.Recording;
import dev.penstock.query.typed.pushdown.StreamOperation;
import dev.penstock.query.typed.pushdown.StreamOperation.Shape;
import java.util.IntSummaryStatistics;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.Supplier;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A stream of ints that is still a plan, see {@link RowRecorder}. */
public abstract class IntRecorder extends IntStage {
    private @Nullable Recording<?> recording;

    /** Makes a stream that makes its recording when it is first needed. */
    protected IntRecorder(StreamContext context) {
        super(context, null);
    }

    /** Returns a stream with its recording. */
    public static IntRecorder of(StreamContext context, Recording<?> recording) {
        return new Recorded(context, recording);
    }

    /** Returns the recording so far. */
    public final Recording<?> recording() {
        Recording<?> known = recording;
        if (known == null) {
            known = recorded();
            recording = known;
        }
        return known;
    }

    /** Makes the recording, when it is first needed. */
    protected abstract Recording<?> recorded();

    @Override
    final Pipeline pipeline() {
        return Pipeline.of(recording());
    }

    private IntStream on(Recording<?> next) {
        link();
        return IntRecorder.of(context, next);
    }

    @Override
    public IntStream unordered() {
        return recording().ordered() ? super.unordered() : this;
    }

    @Override
    public IntStream sorted() {
        return recording().isNatural()
                ? on(recording().then(new StreamOperation.NaturallySorted(false)))
                : super.sorted();
    }

    @Override
    public IntStream distinct() {
        return !recording().hasNulls() && recording().isDistinguishable()
                ? on(recording().then(new StreamOperation.Distinct()))
                : super.distinct();
    }

    /** Skips in the JVM where there may be nulls: a null among the skipped is an error, which only reading it shows. */
    @Override
    public IntStream skip(long rows) {
        return recording().hasNulls()
                ? super.skip(rows)
                : on(recording().then(new StreamOperation.Skip(notNegative("skip", rows))));
    }

    @Override
    public IntStream limit(long rows) {
        return on(recording().then(new StreamOperation.Limit(notNegative("limit", rows))));
    }

    @Override
    public Stream<Integer> boxed() {
        link();
        return RowRecorder.of(context, recording().then(new StreamOperation.Convert(Shape.OBJECT)));
    }

    @Override
    public LongStream asLongStream() {
        link();
        return LongRecorder.of(context, recording().then(new StreamOperation.Convert(Shape.LONG)));
    }

    @Override
    public DoubleStream asDoubleStream() {
        link();
        return DoubleRecorder.of(
                context, recording().then(new StreamOperation.Convert(Shape.DOUBLE)));
    }

    @Override
    public long count() {
        link();
        return TerminalPushdown.count(context, recording(), () -> wrapped().count());
    }

    @Override
    public OptionalInt findFirst() {
        link();
        return TerminalPushdown.of(
                context,
                recording(),
                "findFirst",
                recording().plan().limit(1),
                this::first,
                () -> {
                    context.readOne(true);
                    return wrapped().findFirst();
                });
    }

    private OptionalInt first(Cursor cursor) {
        Integer first =
                TerminalPushdown.only(cursor, FieldReaders.ints(recording().field())::applyAsInt);
        return first == null ? OptionalInt.empty() : OptionalInt.of(first);
    }

    @Override
    public OptionalInt findAny() {
        return findFirst();
    }

    private <X> X aggregate(NumberAggregation<X> aggregation, Supplier<X> otherwise) {
        link();
        return TerminalPushdown.aggregate(context, recording(), aggregation, otherwise);
    }

    @Override
    public int sum() {
        return aggregate(NumberAggregation.INT_SUM, () -> wrapped().sum());
    }

    @Override
    public OptionalInt min() {
        return aggregate(NumberAggregation.INT_MIN, () -> wrapped().min());
    }

    @Override
    public OptionalInt max() {
        return aggregate(NumberAggregation.INT_MAX, () -> wrapped().max());
    }

    @Override
    public OptionalDouble average() {
        return aggregate(NumberAggregation.INT_AVERAGE, () -> wrapped().average());
    }

    @Override
    public IntSummaryStatistics summaryStatistics() {
        return aggregate(NumberAggregation.INT_STATISTICS, () -> wrapped().summaryStatistics());
    }

    /** A stream whose recording is known from the beginning. */
    private static final class Recorded extends IntRecorder {
        private final Recording<?> known;

        Recorded(StreamContext context, Recording<?> known) {
            super(context);
            this.known = known;
        }

        @Override
        protected Recording<?> recorded() {
            return known;
        }
    }
}
