package dev.penstock.query.typed.stream;

import dev.penstock.query.Aggregate.Function;
import dev.penstock.query.Cursor;
import dev.penstock.query.typed.execute.Pipeline;
import dev.penstock.query.typed.mapping.FieldReaders;
import dev.penstock.query.typed.pushdown.Recording;
import dev.penstock.query.typed.pushdown.StreamOperation;
import dev.penstock.query.typed.pushdown.StreamOperation.Shape;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A stream of longs that is still a plan, see {@link RowRecorder}. */
abstract class LongRecorder extends LongStage {
    private static final List<Function> SUM = List.of(Function.SUM);
    private static final List<Function> MIN = List.of(Function.MIN);
    private static final List<Function> MAX = List.of(Function.MAX);
    private static final List<Function> MEAN = List.of(Function.SUM, Function.COUNT_VALUES);
    private static final List<Function> STATISTICS =
            List.of(Function.SUM, Function.COUNT_VALUES, Function.MIN, Function.MAX);

    private @Nullable Recording<?> recording;

    /** A stream that makes its recording when it is first needed. */
    protected LongRecorder(StreamContext context) {
        super(context, null);
    }

    /** A stream with its recording. */
    public static LongRecorder of(StreamContext context, Recording<?> recording) {
        return new Recorded(context, recording);
    }

    /** What was recorded so far. */
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

    private LongStream on(Recording<?> next) {
        link();
        return LongRecorder.of(context, next);
    }

    @Override
    public LongStream unordered() {
        return recording().ordered() ? super.unordered() : this;
    }

    @Override
    public LongStream sorted() {
        return recording().isNatural()
                ? on(recording().then(new StreamOperation.NaturallySorted(false)))
                : super.sorted();
    }

    @Override
    public LongStream distinct() {
        return !recording().hasNulls() && recording().isDistinguishable()
                ? on(recording().then(new StreamOperation.Distinct()))
                : super.distinct();
    }

    /** A null among what is left out is an error, which only reading it shows. */
    @Override
    public LongStream skip(long rows) {
        return recording().hasNulls()
                ? super.skip(rows)
                : on(recording().then(new StreamOperation.Skip(notNegative("skip", rows))));
    }

    @Override
    public LongStream limit(long rows) {
        return on(recording().then(new StreamOperation.Limit(notNegative("limit", rows))));
    }

    @Override
    public Stream<Long> boxed() {
        link();
        return RowRecorder.of(context, recording().then(new StreamOperation.Convert(Shape.OBJECT)));
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
    public OptionalLong findFirst() {
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

    private OptionalLong first(Cursor cursor) {
        Long first =
                TerminalPushdown.only(cursor, FieldReaders.longs(recording().field())::applyAsLong);
        return first == null ? OptionalLong.empty() : OptionalLong.of(first);
    }

    @Override
    public OptionalLong findAny() {
        return findFirst();
    }

    private <X> X aggregates(
            String operation,
            List<Function> functions,
            java.util.function.Function<Cursor, X> read,
            Supplier<X> otherwise) {
        return TerminalPushdown.aggregates(
                context, recording(), operation, functions, read, otherwise);
    }

    @Override
    public long sum() {
        link();
        return aggregates("sum", SUM, row -> row.getLong(0), () -> wrapped().sum());
    }

    @Override
    public OptionalLong min() {
        link();
        return aggregates(
                "min",
                MIN,
                row -> row.isNull(0) ? OptionalLong.empty() : OptionalLong.of(row.getLong(0)),
                () -> wrapped().min());
    }

    @Override
    public OptionalLong max() {
        link();
        return aggregates(
                "max",
                MAX,
                row -> row.isNull(0) ? OptionalLong.empty() : OptionalLong.of(row.getLong(0)),
                () -> wrapped().max());
    }

    @Override
    public OptionalDouble average() {
        link();
        return aggregates(
                "average",
                MEAN,
                row ->
                        row.getLong(1) == 0
                                ? OptionalDouble.empty()
                                : OptionalDouble.of((double) row.getLong(0) / row.getLong(1)),
                () -> wrapped().average());
    }

    @Override
    public LongSummaryStatistics summaryStatistics() {
        link();
        return aggregates(
                "summaryStatistics",
                STATISTICS,
                row ->
                        row.getLong(1) == 0
                                ? new LongSummaryStatistics()
                                : new LongSummaryStatistics(
                                        row.getLong(1),
                                        row.getLong(2),
                                        row.getLong(3),
                                        row.getLong(0)),
                () -> wrapped().summaryStatistics());
    }

    /** A stream whose recording is known from the beginning. */
    private static final class Recorded extends LongRecorder {
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
