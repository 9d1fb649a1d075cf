package dev.penstock.query.typed.mapping;

import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import dev.penstock.query.Expression;
import dev.penstock.query.Plan;
import dev.penstock.query.Predicate;
import dev.penstock.query.Predicate.Comparator;
import dev.penstock.query.typed.field.BooleanField;
import dev.penstock.query.typed.field.Entity;
import dev.penstock.query.typed.field.Field;
import dev.penstock.query.typed.field.LongField;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The mapper of conditions on fields to conditions on columns, which may have other names or hold truth values as
 * numbers. Immutable.
 */
final class PredicateMapper {
    private static final Predicate NONE = new Predicate.Or(List.of());

    /** A mapping of conditions on subqueries. */
    interface SubqueryMapping {
        /**
         * Maps a condition, or returns an {@code IN} of values as the field has them.
         *
         * @param in the condition, which names a field's column
         * @param column the column that this is in the table
         */
        Predicate map(Predicate.InSubquery in, MappedColumn column);
    }

    /**
     * The column of a field.
     *
     * @param item the column as it is asked for
     * @param isTruth whether the field's truth values are numbers there, 0 for false
     * @param isNarrow whether the column holds fewer numbers than the field
     */
    record MappedColumn(Column column, Plan.Item item, boolean isTruth, boolean isNarrow) {
        static MappedColumn of(Field<?, ?> field, Column column) {
            boolean isInt = column.type() == ColumnType.INT;
            return new MappedColumn(
                    column,
                    new Plan.Item(column.name(), column.name()),
                    isInt && field instanceof BooleanField<?>,
                    isInt && field instanceof LongField<?>);
        }

        String name() {
            return item.column();
        }
    }

    private final Entity<?> entity;
    private final Map<String, MappedColumn> columns;
    private final SubqueryMapping subqueries;
    private final boolean verbatim;

    /**
     * @param subqueries maps a condition on a subquery
     */
    PredicateMapper(
            Entity<?> entity, Map<String, MappedColumn> columns, SubqueryMapping subqueries) {
        this.entity = entity;
        this.columns = columns;
        this.subqueries = subqueries;
        boolean same = true;
        for (Field<?, ?> field : entity.fields()) {
            MappedColumn mapped = mapped(field.column());
            same &= mapped.name().equals(field.column()) && !mapped.isTruth && !mapped.isNarrow;
        }
        verbatim = same;
    }

    private MappedColumn mapped(String column) {
        MappedColumn mapped = columns.get(column);
        if (mapped == null) {
            throw new IllegalArgumentException(
                    "a condition on table %s uses column %s, which is no field of its entity %s"
                            .formatted(entity.table(), column, entity.type().getSimpleName()));
        }
        return mapped;
    }

    private String name(String column) {
        return mapped(column).name();
    }

    Predicate map(Predicate predicate) {
        return switch (predicate) {
            case Predicate.And(List<Predicate> all) ->
                    isVerbatim(all) ? predicate : new Predicate.And(each(all));
            case Predicate.Or(List<Predicate> any) ->
                    isVerbatim(any) ? predicate : new Predicate.Or(each(any));
            case Predicate.Not(Predicate inner) ->
                    isVerbatim(List.of(inner)) ? predicate : new Predicate.Not(map(inner));
            case Predicate.SqlNot _ ->
                    throw new IllegalArgumentException(
                            "a condition on fields is negated by its complement, not by SQL's NOT");
            case Predicate.IsNull(String column) ->
                    named(predicate, column, new Predicate.IsNull(name(column)));
            case Predicate.Comparison comparison -> comparison(comparison);
            case Predicate.In in -> in(in);
            case Predicate.InSubquery in -> {
                Predicate said = subqueries.map(in, mapped(in.column()));
                yield said instanceof Predicate.In read ? in(read) : said;
            }
            case Predicate.Text(
                            String column,
                            Predicate.TextOperation operation,
                            String value,
                            boolean ignoringCase) ->
                    named(
                            predicate,
                            column,
                            new Predicate.Text(name(column), operation, value, ignoringCase));
            case Predicate.Matches(String column, String pattern, int flags) ->
                    named(predicate, column, new Predicate.Matches(name(column), pattern, flags));
            case Predicate.Relation(
                            Expression.ColumnValue(String left),
                            Comparator comparator,
                            Expression.ColumnValue(String right))
                    when mapped(left).isTruth || mapped(right).isTruth ->
                    truths(left, comparator, right);
            case Predicate.Relation(Expression left, Comparator comparator, Expression right) ->
                    new Predicate.Relation(map(left), comparator, map(right));
        };
    }

    /** Returns whether conditions are the same on the table; those that name no field of the entity are an error. */
    private boolean isVerbatim(List<Predicate> parts) {
        if (!verbatim) {
            return false;
        }
        for (Predicate part : parts) {
            if (!isVerbatim(part)) {
                return false;
            }
        }
        return true;
    }

    private boolean isVerbatim(Predicate part) {
        return switch (part) {
            case Predicate.And(List<Predicate> all) -> isVerbatim(all);
            case Predicate.Or(List<Predicate> any) -> isVerbatim(any);
            case Predicate.Not(Predicate inner) -> isVerbatim(inner);
            case Predicate.InSubquery _ -> false;
            case Predicate.SqlNot _,
                    Predicate.Comparison _,
                    Predicate.In _,
                    Predicate.IsNull _,
                    Predicate.Text _,
                    Predicate.Matches _,
                    Predicate.Relation _ -> {
                map(part);
                yield true;
            }
        };
    }

    private List<Predicate> each(List<Predicate> predicates) {
        List<Predicate> bound = new ArrayList<>(predicates.size());
        for (Predicate predicate : predicates) {
            bound.add(map(predicate));
        }
        return bound;
    }

    private Predicate named(Predicate same, String column, Predicate renamed) {
        return name(column).equals(column) ? same : renamed;
    }

    private Predicate comparison(Predicate.Comparison predicate) {
        MappedColumn mapped = mapped(predicate.column());
        String name = mapped.name();
        Object value = predicate.value();
        if (mapped.isTruth) {
            return truth(name, predicate.comparator(), (Boolean) value);
        }
        if (mapped.isNarrow && value instanceof Long wide && wide != wide.intValue()) {
            return beyond(name, predicate.comparator(), wide > 0);
        }
        return name.equals(predicate.column())
                ? predicate
                : new Predicate.Comparison(name, predicate.comparator(), value);
    }

    private Predicate in(Predicate.In in) {
        MappedColumn mapped = mapped(in.column());
        String name = mapped.name();
        if (mapped.isTruth) {
            List<Predicate> any = new ArrayList<>();
            in.values().forEach(v -> any.add(truth(name, Comparator.EQUAL, (Boolean) v)));
            return new Predicate.Or(any);
        }
        if (mapped.isNarrow) {
            List<Object> values = new ArrayList<>(in.values());
            values.removeIf(v -> v instanceof Long wide && wide != wide.intValue());
            return new Predicate.In(name, values);
        }
        return name.equals(in.column()) ? in : new Predicate.In(name, in.values());
    }

    /** Compares a truth value that is kept as a number, 0 for false. */
    private static Predicate truth(String column, Comparator comparator, boolean value) {
        List<Predicate> any = new ArrayList<>();
        if (comparator.holds(Boolean.compare(false, value))) {
            any.add(new Predicate.Comparison(column, Comparator.EQUAL, 0));
        }
        if (comparator.holds(Boolean.compare(true, value))) {
            any.add(
                    new Predicate.Not(
                            new Predicate.Or(
                                    List.of(
                                            new Predicate.IsNull(column),
                                            new Predicate.Comparison(
                                                    column, Comparator.EQUAL, 0)))));
        }
        if (comparator == Comparator.NOT_EQUAL) {
            any.add(new Predicate.IsNull(column));
        }
        return new Predicate.Or(any);
    }

    /** Compares two truth values of which at least one is kept as a number. */
    private Predicate truths(String left, Comparator comparator, String right) {
        List<Predicate> any = new ArrayList<>();
        for (boolean a : List.of(false, true)) {
            for (boolean b : List.of(false, true)) {
                if (comparator.holds(Boolean.compare(a, b))) {
                    any.add(new Predicate.And(List.of(is(left, a), is(right, b))));
                }
            }
        }
        if (comparator == Comparator.NOT_EQUAL) {
            Predicate one = new Predicate.IsNull(name(left));
            Predicate other = new Predicate.IsNull(name(right));
            any.add(new Predicate.And(List.of(one, new Predicate.Not(other))));
            any.add(new Predicate.And(List.of(new Predicate.Not(one), other)));
        }
        return new Predicate.Or(any);
    }

    private Predicate is(String column, boolean value) {
        return comparison(new Predicate.Comparison(column, Comparator.EQUAL, value));
    }

    /** Compares an INT with a number that is beyond its range. */
    private static Predicate beyond(String column, Comparator comparator, boolean above) {
        return switch (comparator) {
            case EQUAL -> NONE;
            case NOT_EQUAL -> Predicate.ALL;
            case LESS, LESS_OR_EQUAL ->
                    above ? new Predicate.Not(new Predicate.IsNull(column)) : NONE;
            case GREATER, GREATER_OR_EQUAL ->
                    above ? NONE : new Predicate.Not(new Predicate.IsNull(column));
        };
    }

    private Expression map(Expression expression) {
        return switch (expression) {
            case Expression.ColumnValue(String column) -> new Expression.ColumnValue(name(column));
            case Expression.Literal _ -> expression;
            case Expression.Arithmetic(
                            Expression.Operator operator,
                            Expression left,
                            Expression right) ->
                    new Expression.Arithmetic(operator, map(left), map(right));
        };
    }
}
