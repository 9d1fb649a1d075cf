package dev.penstock.query.typed.pushdown;

import dev.penstock.query.Aggregate;
import dev.penstock.query.Cursor;
import dev.penstock.query.Plan;
import dev.penstock.query.Predicate;
import dev.penstock.query.typed.aggregate.AggregateCollector;
import dev.penstock.query.typed.field.BinaryField;
import dev.penstock.query.typed.field.BooleanField;
import dev.penstock.query.typed.field.CharField;
import dev.penstock.query.typed.field.Condition;
import dev.penstock.query.typed.field.DoubleField;
import dev.penstock.query.typed.field.EnumField;
import dev.penstock.query.typed.field.Field;
import dev.penstock.query.typed.field.FieldOrder;
import dev.penstock.query.typed.field.FloatField;
import dev.penstock.query.typed.field.IntField;
import dev.penstock.query.typed.field.LongField;
import dev.penstock.query.typed.field.RowReader;
import dev.penstock.query.typed.field.TextField;
import dev.penstock.query.typed.field.ValueField;
import dev.penstock.query.typed.mapping.EntityMapping;
import dev.penstock.query.typed.mapping.FieldReaders;
import dev.penstock.query.typed.pushdown.StreamOperation.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The recording of a stream's operations so far, all of which a plan can say, the last one first. Immutable; only the
 * terminal operation makes the plan.
 *
 * @param mapping the table that is read
 * @param before what was recorded before, or null at the start
 * @param operation the last operation, or null at the start
 * @param projected the field whose values the elements are, or null where they are entities
 * @param values what these values were made: themselves, or an int, a long or a double
 * @param shape what the stream is of
 * @param ordered whether the elements have an order
 * @param cut whether there was a skip or a limit
 */
public record Recording<R>(
        EntityMapping<R> mapping,
        @Nullable Recording<R> before,
        @Nullable StreamOperation operation,
        @Nullable Field<?, ?> projected,
        Shape values,
        Shape shape,
        boolean ordered,
        boolean cut) {

    public static <R> Recording<R> of(EntityMapping<R> mapping) {
        return new Recording<>(mapping, null, null, null, Shape.OBJECT, Shape.OBJECT, false, false);
    }

    // One small method for each operation: together they are too much for the compiler to take into
    // a
    // stream's own code.

    public Recording<R> then(StreamOperation.Filter filter) {
        return next(filter, projected, values, shape, ordered, cut);
    }

    public Recording<R> then(StreamOperation.Distinct distinct) {
        return next(distinct, projected, values, shape, ordered, cut);
    }

    public Recording<R> then(StreamOperation.Sort sort) {
        return next(sort, projected, values, shape, true, cut);
    }

    public Recording<R> then(StreamOperation.Slice slice) {
        return next(slice, projected, values, shape, true, true);
    }

    public Recording<R> then(StreamOperation.Project project) {
        return next(project, project.field(), project.shape(), project.shape(), ordered, cut);
    }

    public Recording<R> then(StreamOperation.Convert convert) {
        Shape to = convert.shape();
        return next(convert, projected, to == Shape.OBJECT ? values : to, to, ordered, cut);
    }

    private Recording<R> next(
            StreamOperation operation,
            @Nullable Field<?, ?> projected,
            Shape values,
            Shape shape,
            boolean ordered,
            boolean cut) {
        return new Recording<>(mapping, this, operation, projected, values, shape, ordered, cut);
    }

    /** Returns the reasons why values of streams that conditions compare with are read before this is asked. */
    public List<String> readings() {
        List<String> readings = new ArrayList<>();
        Plan _ = plan(readings::add);
        return readings;
    }

    /** Returns the same recording without the parts of filters for which values are read before. */
    public Recording<R> withoutReadings() {
        if (before == null) {
            return this;
        }
        Recording<R> rest = before.withoutReadings();
        if (!(operation instanceof StreamOperation.Filter(Condition<?> condition))
                || mapping.readings(condition).isEmpty()) {
            return new Recording<>(
                    mapping, rest, operation, projected, values, shape, ordered, cut);
        }
        for (Condition<?> part : condition.parts()) {
            if (mapping.readings(part).isEmpty()) {
                rest = rest.then(new StreamOperation.Filter(part));
            }
        }
        return rest;
    }

    /** Returns the recordings from the first on; the first is the whole table. */
    List<Recording<R>> all() {
        List<Recording<R>> all = new ArrayList<>();
        for (Recording<R> each = this; each != null; each = each.before) {
            all.addFirst(each);
        }
        return all;
    }

    /** Returns the plan of all operations. */
    public Plan plan() {
        return before == null ? mapping.allRows() : apply(before.plan());
    }

    /**
     * Returns the plan of all operations without reading anything.
     *
     * @param unread is told why values of streams would be read, of which the plan says nothing
     */
    public Plan plan(Consumer<String> unread) {
        return before == null
                ? mapping.allRows()
                : apply(before.plan(unread), filter -> mapping.predicate(filter, unread));
    }

    /** Applies this operation to a plan. */
    public Plan apply(Plan plan) {
        return apply(plan, mapping::predicate);
    }

    private Plan apply(Plan plan, Function<Condition<?>, Predicate> filters) {
        return switch (operation) {
            case null -> plan;
            case StreamOperation.Filter(Condition<?> condition) ->
                    plan.where(filters.apply(condition));
            case StreamOperation.Sorted(FieldOrder<?> order) -> plan.orderBy(mapping.order(order));
            case StreamOperation.NaturallySorted(boolean descending) ->
                    plan.orderBy(List.of(new Plan.Order(item().column(), descending, descending)));
            case StreamOperation.Skip(long rows) -> plan.skip(rows);
            case StreamOperation.Limit(long rows) -> plan.limit(rows);
            case StreamOperation.Project _ -> plan.select(List.of(item()));
            case StreamOperation.Convert _ -> plan;
            case StreamOperation.Distinct _ ->
                    plan.distinct(
                            projected == null
                                    ? mapping.items(mapping.entity().fields())
                                    : List.of(item()));
        };
    }

    /**
     * Returns the plan of an aggregation of all entities; null where the database does not make them as the JVM does.
     */
    public @Nullable Plan aggregate(AggregateCollector.Query<?, ?> query) {
        List<Plan.Item> keys = new ArrayList<>();
        for (Field<?, ?> key : query.keys()) {
            keys.add(new Plan.Item(mapping.column(key).name(), "k" + keys.size()));
            if (projected != null || !mapping.isExact(key)) {
                return null;
            }
        }
        List<Aggregate> values = new ArrayList<>();
        for (AggregateCollector.Value<?> wanted : query.values()) {
            Aggregate value = aggregate(wanted, "v" + values.size());
            if (projected != null || value == null) {
                return null;
            }
            values.add(value);
        }
        return plan().aggregate(keys, values);
    }

    private @Nullable Aggregate aggregate(AggregateCollector.Value<?> wanted, String label) {
        Field<?, ?> field = wanted.field();
        Aggregate all =
                field == null
                        ? Aggregate.count(label)
                        : Aggregate.of(wanted.function(), mapping.column(field).name(), label);
        Condition<?> filter = wanted.filter();
        boolean ordered =
                wanted.function() == Aggregate.Function.MIN
                        || wanted.function() == Aggregate.Function.MAX;
        if (ordered && field != null && !mapping.isSortable(field)) {
            return null;
        }
        return filter == null ? all : all.where(mapping.predicate(filter));
    }

    /** Returns the projected field. */
    public Field<?, ?> field() {
        if (projected == null) {
            throw new IllegalStateException("nothing is projected");
        }
        return projected;
    }

    /** Returns the reader of an element from a row of the plan. */
    public RowReader<?> reader() {
        Field<?, ?> field = projected;
        if (field == null) {
            return mapping.reader();
        }
        return switch (values) {
            case OBJECT -> FieldReaders.reader(field, 0);
            case INT -> (Cursor row) -> FieldReaders.ints(field).applyAsInt(row);
            case LONG -> (Cursor row) -> FieldReaders.longs(field).applyAsLong(row);
            case DOUBLE -> (Cursor row) -> FieldReaders.doubles(field).applyAsDouble(row);
        };
    }

    /** Returns the column of the projected field. */
    public Plan.Item item() {
        return mapping.item(field());
    }

    /** Returns whether one of the values may be null. */
    public boolean hasNulls() {
        return projected != null && !excludesNull(projected);
    }

    /** Returns whether the database sorts the values as the JVM sorts them by themselves. */
    public boolean isNatural() {
        return projected != null
                && !hasNulls()
                && mapping.isExact(projected)
                && switch (projected) {
                    case IntField<?> _,
                            LongField<?> _,
                            FloatField<?> _,
                            DoubleField<?> _,
                            BooleanField<?> _,
                            CharField<?> _ ->
                            true;
                    case ValueField<?, ?> f -> f.type() != UUID.class;
                    case TextField<?> _, EnumField<?, ?> _, BinaryField<?> _ -> false;
                };
    }

    /** Returns whether the database finds the same elements equal as the JVM, and gives them in the same order. */
    public boolean isDistinguishable() {
        if (cut && !sortedByAll()) {
            return false;
        }
        return projected == null
                ? mapping.entity().type().isRecord()
                        && mapping.entity().fields().stream().allMatch(this::isDistinguishable)
                : isDistinguishable(projected)
                        && !(values == Shape.DOUBLE && projected instanceof LongField<?>);
    }

    private boolean isDistinguishable(Field<?, ?> field) {
        return !(field instanceof BinaryField<?>) && mapping.isExact(field);
    }

    /** Returns whether the only order is that of the values themselves. */
    private boolean sortedByAll() {
        boolean sorted = false;
        for (Recording<R> each = this; each != null; each = each.before) {
            sorted |= each.operation instanceof StreamOperation.NaturallySorted;
            if (each.operation instanceof StreamOperation.Sorted) {
                return false;
            }
        }
        return sorted;
    }

    /**
     * Returns whether a value of a field may be null here: neither field nor column nor a filter on the way rules that
     * out.
     */
    public boolean mayHoldNull(Field<?, ?> field) {
        return !excludesNull(field) && mapping.column(field).nullable();
    }

    /** Returns whether a filter on the way lets no null of a field through. */
    boolean excludesNull(Field<?, ?> field) {
        if (!field.isNullable()) {
            return true;
        }
        for (Recording<R> each = this; each != null; each = each.before) {
            if (each.operation instanceof StreamOperation.Filter(Condition<?> condition)
                    && excludesNull(condition.predicate(), field.column())) {
                return true;
            }
        }
        return false;
    }

    private static boolean excludesNull(Predicate predicate, String column) {
        return switch (predicate) {
            case Predicate.Not(Predicate.IsNull(String name)) -> name.equals(column);
            case Predicate.Comparison(String name, Predicate.Comparator comparator, _) ->
                    name.equals(column) && comparator != Predicate.Comparator.NOT_EQUAL;
            case Predicate.In(String name, _) -> name.equals(column);
            case Predicate.InSubquery(String name, _) -> name.equals(column);
            case Predicate.Text text -> text.column().equals(column);
            case Predicate.Matches matches -> matches.column().equals(column);
            case Predicate.And(List<Predicate> all) ->
                    all.stream().anyMatch(p -> excludesNull(p, column));
            case Predicate.Or(List<Predicate> any) ->
                    any.stream().allMatch(p -> excludesNull(p, column));
            case Predicate.Not _, Predicate.SqlNot _, Predicate.IsNull _, Predicate.Relation _ ->
                    false;
        };
    }

    /** Orders a plan by the key of its rows, if it has no order and they have a key. */
    static Plan inKeyOrder(Plan plan) {
        boolean rows = plan.output() instanceof Plan.Output.Columns;
        List<Plan.Order> key = new ArrayList<>();
        for (String column : rows ? plan.source().key() : plan.key()) {
            key.add(new Plan.Order(column, false, false));
        }
        return plan.order().isEmpty() && plan.slices().isEmpty() ? plan.orderBy(key) : plan;
    }
}
