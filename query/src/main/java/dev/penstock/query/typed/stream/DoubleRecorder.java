package dev.penstock.query.typed.stream;

import dev.penstock.query.Aggregate.Function;
import dev.penstock.query.Cursor;
import dev.penstock.query.typed.execute.Pipeline;
import dev.penstock.query.typed.field.IntField;
import dev.penstock.query.typed.mapping.FieldReaders;
import dev.penstock.query.typed.pushdown.Recording;
import dev.penstock.query.typed.pushdown.StreamOperation;
import dev.penstock.query.typed.pushdown.StreamOperation.Shape;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Supplier;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A stream of doubles that is still a plan, see {@link RowRecorder}. */
abstract class DoubleRecorder extends DoubleStage {
    private static final List<Function> SUM = List.of(Function.SUM);
    private static final List<Function> EXTREMES = List.of(Function.MIN, Function.MAX);
    private static final List<Function> MAX = List.of(Function.MAX);
    private static final List<Function> MEAN = List.of(Function.SUM, Function.COUNT_VALUES);
    private static final List<Function> STATISTICS =
            List.of(Function.SUM, Function.COUNT_VALUES, Function.MIN, Function.MAX);

    private @Nullable Recording<?> recording;

    /** A stream that makes its recording when it is first needed. */
    protected DoubleRecorder(StreamContext context) {
        super(context, null);
    }

    /** A stream with its recording. */
    public static DoubleRecorder of(StreamContext context, Recording<?> recording) {
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

    private DoubleStream on(Recording<?> next) {
        link();
        return DoubleRecorder.of(context, next);
    }

    @Override
    public DoubleStream unordered() {
        return recording().ordered() ? super.unordered() : this;
    }

    @Override
    public DoubleStream sorted() {
        return recording().isNatural()
                ? on(recording().then(new StreamOperation.NaturallySorted(false)))
                : super.sorted();
    }

    @Override
    public DoubleStream distinct() {
        return !recording().hasNulls() && recording().isDistinguishable()
                ? on(recording().then(new StreamOperation.Distinct()))
                : super.distinct();
    }

    /** A null among what is left out is an error, which only reading it shows. */
    @Override
    public DoubleStream skip(long rows) {
        return recording().hasNulls()
                ? super.skip(rows)
                : on(recording().then(new StreamOperation.Skip(notNegative("skip", rows))));
    }

    @Override
    public DoubleStream limit(long rows) {
        return on(recording().then(new StreamOperation.Limit(notNegative("limit", rows))));
    }

    @Override
    public Stream<Double> boxed() {
        link();
        return RowRecorder.of(context, recording().then(new StreamOperation.Convert(Shape.OBJECT)));
    }

    @Override
    public long count() {
        link();
        return TerminalPushdown.count(context, recording(), () -> wrapped().count());
    }

    @Override
    public OptionalDouble findFirst() {
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

    private OptionalDouble first(Cursor cursor) {
        Double first =
                TerminalPushdown.only(
                        cursor, FieldReaders.doubles(recording().field())::applyAsDouble);
        return first == null ? OptionalDouble.empty() : OptionalDouble.of(first);
    }

    @Override
    public OptionalDouble findAny() {
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
    public double sum() {
        link();
        return aggregates("sum", SUM, row -> sum(row, 0), () -> wrapped().sum());
    }

    @Override
    public OptionalDouble min() {
        link();
        return aggregates(
                "min",
                EXTREMES,
                row -> row.isNull(0) ? OptionalDouble.empty() : OptionalDouble.of(min(row, 0, 1)),
                () -> wrapped().min());
    }

    @Override
    public OptionalDouble max() {
        link();
        return aggregates(
                "max",
                MAX,
                row -> row.isNull(0) ? OptionalDouble.empty() : OptionalDouble.of(number(row, 0)),
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
                                : OptionalDouble.of(sum(row, 0) / row.getLong(1)),
                () -> wrapped().average());
    }

    @Override
    public DoubleSummaryStatistics summaryStatistics() {
        link();
        return aggregates(
                "summaryStatistics",
                STATISTICS,
                row ->
                        row.getLong(1) == 0
                                ? new DoubleSummaryStatistics()
                                : statistics(
                                        row.getLong(1),
                                        min(row, 2, 3),
                                        number(row, 3),
                                        sum(row, 0)),
                () -> wrapped().summaryStatistics());
    }

    /** The constructor takes no infinities that make a sum of NaN; only adding them one by one does. */
    private static DoubleSummaryStatistics statistics(
            long count, double min, double max, double sum) {
        if (!Double.isNaN(sum) || Double.isNaN(min)) {
            return new DoubleSummaryStatistics(count, min, max, sum);
        }
        DoubleSummaryStatistics all = new DoubleSummaryStatistics(count - 2, min, max, 0);
        all.accept(min);
        all.accept(max);
        return all;
    }

    private double number(Cursor row, int column) {
        return FieldReaders.number(recording().field(), row, column);
    }

    /** The least as {@link Math#min} has it: NaN, which plans put above everything, is the least as well as the greatest. */
    private double min(Cursor row, int least, int greatest) {
        double max = number(row, greatest);
        return Double.isNaN(max) ? max : number(row, least);
    }

    private double sum(Cursor row, int column) {
        return switch (recording().field()) {
            case IntField<?> _ -> row.getLong(column);
            default -> row.getDouble(column);
        };
    }

    /** A stream whose recording is known from the beginning. */
    private static final class Recorded extends DoubleRecorder {
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
