package dev.penstock.query.typed.stream;

import static java.util.Objects.requireNonNull;

import dev.penstock.query.Cursor;
import dev.penstock.query.Plan;
import dev.penstock.query.typed.aggregate.AggregateCollector;
import dev.penstock.query.typed.execute.Pipeline;
import dev.penstock.query.typed.field.Condition;
import dev.penstock.query.typed.field.Field;
import dev.penstock.query.typed.field.FieldOrder;
import dev.penstock.query.typed.field.MixedPredicate;
import dev.penstock.query.typed.field.RowReader;
import dev.penstock.query.typed.pushdown.Recording;
import dev.penstock.query.typed.pushdown.StreamOperation;
import dev.penstock.query.typed.pushdown.StreamOperation.Shape;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Collector;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A stream of entities, or of values of one field, that is still a plan. Operations that a plan can't say run in the
 * JDK's stream.
 */
public abstract class RowRecorder<T> extends RowStage<T> {
    private @Nullable Recording<?> recording;

    /** Makes a stream that makes its recording when it is first needed. */
    protected RowRecorder(StreamContext context) {
        super(context, null);
    }

    /** Returns a stream with its recording. */
    public static <T> RowRecorder<T> of(StreamContext context, Recording<?> recording) {
        return new Recorded<>(context, recording);
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

    private Stream<T> on(Recording<?> next) {
        link();
        return RowRecorder.of(context, next);
    }

    @Override
    public Stream<T> filter(java.util.function.Predicate<? super T> predicate) {
        if (predicate instanceof Condition<?> condition && recording().projected() == null) {
            Recording<?> filtered =
                    recording().then(new StreamOperation.Filter(checked(condition)));
            Stream<T> next = on(filtered);
            context.closeWith(condition);
            return next;
        }
        return predicate instanceof MixedPredicate.Both<?> both
                ? filter(both)
                : super.filter(predicate);
    }

    @SuppressWarnings("unchecked") // a predicate of T is made of predicates of T
    private Stream<T> filter(MixedPredicate.Both<?> both) {
        return filter((java.util.function.Predicate<T>) both.first())
                .filter((java.util.function.Predicate<T>) both.then());
    }

    private Condition<?> checked(Condition<?> condition) {
        recording().mapping().check(condition);
        return condition;
    }

    @Override
    public Stream<T> unordered() {
        return recording().ordered() ? super.unordered() : this;
    }

    @Override
    public Stream<T> sorted() {
        if (recording().isNatural()) {
            return on(recording().then(new StreamOperation.NaturallySorted(false)));
        }
        Stream<T> sorted = super.sorted();
        if (recording().projected() != null) {
            context.because(
                    "sorted: by themselves, values of %s sort in Java's own way; sort by the field before mapping to it"
                            .formatted(recording().projected()));
        }
        return sorted;
    }

    @Override
    public Stream<T> sorted(Comparator<? super T> comparator) {
        StreamOperation.Sort step = order(comparator);
        if (step != null) {
            return on(recording().then(step));
        }
        Stream<T> sorted = super.sorted(comparator);
        FieldOrder<T> order = recording().projected() == null ? FieldOrder.of(comparator) : null;
        if (order != null) {
            context.because(
                    "sorted: the database has another order of %s"
                            .formatted(recording().mapping().unsortable(order)));
        }
        return sorted;
    }

    /** Returns the operation of sorting; null where the plan can't say it. */
    private StreamOperation.@Nullable Sort order(Comparator<? super T> comparator) {
        if (recording().projected() == null) {
            FieldOrder<T> order = FieldOrder.of(comparator);
            return order == null || recording().mapping().unsortable(order) != null
                    ? null
                    : new StreamOperation.Sorted(order);
        }
        if (!recording().isNatural()) {
            return null;
        }
        if (comparator.equals(Comparator.naturalOrder())) {
            return new StreamOperation.NaturallySorted(false);
        }
        return comparator.equals(Comparator.reverseOrder())
                ? new StreamOperation.NaturallySorted(true)
                : null;
    }

    @Override
    public Stream<T> skip(long rows) {
        return on(recording().then(new StreamOperation.Skip(notNegative("skip", rows))));
    }

    @Override
    public Stream<T> limit(long rows) {
        return on(recording().then(new StreamOperation.Limit(notNegative("limit", rows))));
    }

    @Override
    public Stream<T> distinct() {
        if (recording().projected() == null && recording().mapping().hasKey()) {
            return on(recording());
        }
        if (recording().isDistinguishable()) {
            return on(recording().then(new StreamOperation.Distinct()));
        }
        Stream<T> distinct = super.distinct();
        context.because(
                recording().cut()
                        ? "distinct: the elements were cut before, and keep their order"
                        : "distinct: a database tells such elements apart otherwise");
        return distinct;
    }

    /** Returns the recording of the values of a field; null where it is none that the plan can give. */
    private @Nullable Recording<?> project(Object mapper, Shape shape) {
        if (recording().projected() != null || !(mapper instanceof Field<?, ?> field)) {
            return null;
        }
        recording().mapping().check(field);
        link();
        return recording().then(new StreamOperation.Project(field, shape));
    }

    @Override
    public <U> Stream<U> map(Function<? super T, ? extends U> mapper) {
        Recording<?> values = project(mapper, Shape.OBJECT);
        return values == null ? super.map(mapper) : RowRecorder.of(context, values);
    }

    @Override
    public IntStream mapToInt(ToIntFunction<? super T> mapper) {
        Recording<?> values = project(mapper, Shape.INT);
        return values == null ? super.mapToInt(mapper) : IntRecorder.of(context, values);
    }

    @Override
    public LongStream mapToLong(ToLongFunction<? super T> mapper) {
        Recording<?> values = project(mapper, Shape.LONG);
        return values == null ? super.mapToLong(mapper) : LongRecorder.of(context, values);
    }

    @Override
    public DoubleStream mapToDouble(ToDoubleFunction<? super T> mapper) {
        Recording<?> values = project(mapper, Shape.DOUBLE);
        return values == null ? super.mapToDouble(mapper) : DoubleRecorder.of(context, values);
    }

    private <X> X answer(
            String operation, Plan plan, Function<Cursor, X> read, Supplier<X> otherwise) {
        return TerminalPushdown.of(context, recording(), operation, plan, read, otherwise);
    }

    @Override
    public long count() {
        link();
        return TerminalPushdown.count(context, recording(), () -> wrapped().count());
    }

    @Override
    public Optional<T> findFirst() {
        link();
        return first("findFirst", recording().plan(), Stream::findFirst);
    }

    @Override
    public Optional<T> findAny() {
        return findFirst();
    }

    /** Returns the first row of a plan. An element that is null is an error, as in every stream. */
    private Optional<T> first(
            String operation, Plan plan, Function<Stream<T>, Optional<T>> otherwise) {
        RowReader<T> reader = reader();
        return answer(
                operation,
                plan.limit(1),
                cursor ->
                        Optional.ofNullable(
                                TerminalPushdown.only(
                                        cursor, row -> requireNonNull(reader.read(row)))),
                () -> {
                    context.keepKeyOrder();
                    return otherwise.apply(wrapped());
                });
    }

    @SuppressWarnings("unchecked") // the recording is one of T
    private RowReader<T> reader() {
        return (RowReader<T>) recording().reader();
    }

    @Override
    public Optional<T> min(Comparator<? super T> comparator) {
        StreamOperation.Sort step = order(comparator);
        if (step == null) {
            return super.min(comparator);
        }
        link();
        return first(
                "min",
                recording().then(step).apply(recording().plan()),
                stream -> stream.min(comparator));
    }

    @Override
    public Optional<T> max(Comparator<? super T> comparator) {
        StreamOperation.Sort step = order(comparator) == null ? null : order(comparator.reversed());
        if (step == null) {
            return super.max(comparator);
        }
        link();
        return first(
                "max",
                recording().then(step).apply(recording().plan()),
                stream -> stream.max(comparator));
    }

    @Override
    public boolean anyMatch(java.util.function.Predicate<? super T> predicate) {
        return (predicate instanceof Condition<?> condition && recording().projected() == null)
                ? any("anyMatch", condition)
                : super.anyMatch(predicate);
    }

    @Override
    public boolean allMatch(java.util.function.Predicate<? super T> predicate) {
        return (predicate instanceof Condition<?> condition && recording().projected() == null)
                ? !any("allMatch", condition.negate())
                : super.allMatch(predicate);
    }

    @Override
    public boolean noneMatch(java.util.function.Predicate<? super T> predicate) {
        return (predicate instanceof Condition<?> condition && recording().projected() == null)
                ? !any("noneMatch", condition)
                : super.noneMatch(predicate);
    }

    private boolean any(String operation, Condition<?> condition) {
        Recording<?> matching = recording().then(new StreamOperation.Filter(checked(condition)));
        link();
        context.closeWith(condition);
        return answer(
                operation,
                matching.plan().limit(1).count(),
                cursor -> TerminalPushdown.count(cursor) > 0,
                () -> isAny(matching));
    }

    private boolean isAny(Recording<?> matching) {
        context.readOne(false);
        Stream<?> rows = (Stream<?>) context.start(Pipeline.of(matching));
        return rows.findAny().isPresent();
    }

    @Override
    public <U, A> U collect(Collector<? super T, A, U> collector) {
        requireNonNull(collector, "collect");
        link();
        context.closeWithAll(collector);
        AggregateCollector.Query<?, ?> query =
                collector instanceof AggregateCollector<?, ?> f ? f.query() : null;
        Plan plan = query == null ? null : recording().aggregate(query);
        if (query == null || plan == null) {
            if (query == null) {
                context.collectsBy(collector);
            }
            return collected(collector);
        }
        return answer(
                "collect",
                plan,
                cursor -> fold(cursor, query),
                () -> GivenConditions.known(wrapped(), collector).collect(collector));
    }

    @SuppressWarnings({
        "unchecked",
        "TypeParameterUnusedInFormals"
    }) // what is query makes what the collector makes
    private static <U> U fold(Cursor cursor, AggregateCollector.Query<?, ?> query) {
        AggregateCollector.RowFolder<?> folder = query.folder().get();
        while (cursor.next()) {
            folder.row(cursor, 0, query.keys().size());
        }
        return (U) folder.result();
    }

    /** A stream whose recording is known from the beginning. */
    private static final class Recorded<T> extends RowRecorder<T> {
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
