package dev.penstock.query.sql;

import dev.penstock.query.Predicate;
import dev.penstock.query.Predicate.Comparator;
import dev.penstock.query.QueryException;
import java.util.List;

/**
 * Writes predicates as SQL. Negation is pushed down to the leaves, so that above them there are only AND and OR; a leaf that
 * is to be true of NULL says so. SQL's third truth value is then as good as false.
 */
final class PredicateSql {
    private static final int MAX_DEPTH = 500;
    private static final String TRUE = "1=1";
    private static final String FALSE = "1=0";

    private final SqlTable table;
    private final Dialect dialect;
    private final SqlText sql;

    PredicateSql(SqlTable table, Dialect dialect, SqlText sql) {
        this.table = table;
        this.dialect = dialect;
        this.sql = sql;
    }

    void write(Predicate predicate) {
        write(predicate, false, 0);
    }

    private void write(Predicate predicate, boolean negated, int depth) {
        if (depth > MAX_DEPTH) {
            throw new QueryException(
                    QueryException.Kind.INVALID_PLAN,
                    "the condition is nested deeper than " + MAX_DEPTH + " levels");
        }
        switch (predicate) {
            case Predicate.Not not -> {
                Predicate inner = not;
                boolean flip = negated;
                while (inner instanceof Predicate.Not(Predicate next)) {
                    inner = next;
                    flip = !flip;
                }
                write(inner, flip, depth);
            }
            case Predicate.And(List<Predicate> all) -> writeAll(all, negated, !negated, depth);
            case Predicate.Or(List<Predicate> any) -> writeAll(any, negated, negated, depth);
            case Predicate.IsNull(String name) -> isNull(table.column(name), negated);
            case Predicate.Comparison(String name, Comparator comparator, Object value) ->
                    compare(table.column(name), comparator, value, negated);
            case Predicate.In(String name, List<Object> values) ->
                    in(table.column(name), values, negated);
            case Predicate.Text _, Predicate.Matches _, Predicate.Relation _ ->
                    throw new Refusal("the condition is not written as SQL yet");
        }
    }

    /** MariaDB says of the day 0000-00-00 that it IS NULL, where the column may not be; so it isn't asked there. */
    private void isNull(SqlColumn column, boolean negated) {
        if (column.column().nullable()) {
            sql.add(column.name()).add(negated ? " IS NOT NULL" : " IS NULL");
        } else {
            sql.add(negated ? TRUE : FALSE);
        }
    }

    private void writeAll(List<Predicate> parts, boolean negated, boolean and, int depth) {
        if (parts.isEmpty()) {
            sql.add(and ? TRUE : FALSE);
            return;
        }
        String separator = "(";
        for (Predicate part : parts) {
            sql.add(separator);
            write(part, negated, depth + 1);
            separator = and ? " AND " : " OR ";
        }
        sql.add(")");
    }

    private void compare(SqlColumn column, Comparator comparator, Object value, boolean negated) {
        boolean trueOfNull = (comparator == Comparator.NOT_EQUAL) != negated;
        Comparator effective = negated ? complement(comparator) : comparator;
        Fitted fitted = Fitted.of(column.column(), effective, value, dialect);
        if (!trueOfNull || !column.column().nullable()) {
            leaf(column, fitted);
            return;
        }
        sql.add("(");
        leaf(column, fitted);
        sql.add(" OR ").add(column.name()).add(" IS NULL)");
    }

    /** True or false of a cell that is not NULL. */
    private void leaf(SqlColumn column, Fitted fitted) {
        switch (fitted) {
            case Fitted.Always(boolean truth) ->
                    sql.add(truth ? column.name() + " IS NOT NULL" : FALSE);
            case Fitted.Bound(Comparator comparator, Object value) -> {
                String signed = dialect.negativeZero(column);
                if (signed != null && isZero(value)) {
                    zero(column, comparator, value, signed);
                } else {
                    bound(column, comparator, value);
                }
            }
        }
    }

    private void bound(SqlColumn column, Comparator comparator, Object value) {
        String indexed = column.indexed();
        Object bindable = dialect.bindable(column.column(), value);
        if (indexed == null || comparator != Comparator.EQUAL) {
            sql.add(column.comparable()).add(operator(comparator));
            sql.bind(column.parameter(), bindable);
            return;
        }
        sql.add("(").add(indexed).add(" = ").bind(column.indexedParameter(), bindable);
        sql.add(" AND ").add(column.comparable()).add(" = ").bind(column.parameter(), bindable);
        sql.add(")");
    }

    /** Where the database takes −0.0 for equal to 0.0, the sign is compared on its own. */
    private void zero(SqlColumn column, Comparator comparator, Object value, String negative) {
        boolean negativeValue = 1 / ((Number) value).doubleValue() < 0;
        String name = column.name();
        String isNegative = "(" + name + " = 0 AND " + negative + ")";
        String isPositive = "(" + name + " = 0 AND NOT " + negative + ")";
        String same = negativeValue ? isNegative : isPositive;
        sql.add(
                switch (comparator) {
                    case EQUAL -> same;
                    case NOT_EQUAL ->
                            "("
                                    + name
                                    + " <> 0 OR "
                                    + (negativeValue ? isPositive : isNegative)
                                    + ")";
                    case LESS ->
                            negativeValue
                                    ? name + " < 0"
                                    : "(" + name + " < 0 OR " + isNegative + ")";
                    case LESS_OR_EQUAL ->
                            negativeValue
                                    ? "(" + name + " < 0 OR " + isNegative + ")"
                                    : name + " <= 0";
                    case GREATER ->
                            negativeValue
                                    ? "(" + name + " > 0 OR " + isPositive + ")"
                                    : name + " > 0";
                    case GREATER_OR_EQUAL ->
                            negativeValue
                                    ? name + " >= 0"
                                    : "(" + name + " > 0 OR " + isPositive + ")";
                });
    }

    private static boolean isZero(Object value) {
        return (value instanceof Double || value instanceof Float)
                && ((Number) value).doubleValue() == 0;
    }

    private void in(SqlColumn column, List<Object> values, boolean negated) {
        boolean orNull = negated && column.column().nullable();
        if (values.isEmpty()) {
            sql.add(negated ? TRUE : FALSE);
            return;
        }
        sql.add(orNull ? "((" : "(");
        if (dialect.negativeZero(column) == null) {
            list(column, values, negated);
        } else {
            String separator = "";
            for (Object value : values) {
                sql.add(separator);
                Comparator each = negated ? Comparator.NOT_EQUAL : Comparator.EQUAL;
                leaf(column, Fitted.of(column.column(), each, value, dialect));
                separator = negated ? " AND " : " OR ";
            }
        }
        sql.add(")");
        if (orNull) {
            sql.add(" OR ").add(column.name()).add(" IS NULL)");
        }
    }

    private void list(SqlColumn column, List<Object> values, boolean negated) {
        List<Object> fitting =
                values.stream()
                        .map(v -> Fitted.of(column.column(), Comparator.EQUAL, v, dialect))
                        .flatMap(Fitted::values)
                        .toList();
        if (fitting.isEmpty()) {
            sql.add(negated ? TRUE : FALSE);
            return;
        }
        String indexed = column.indexed();
        if (indexed != null && !negated) {
            list(column, indexed, column.indexedParameter(), " IN (", fitting);
            sql.add(" AND ");
        }
        list(
                column,
                column.comparable(),
                column.parameter(),
                negated ? " NOT IN (" : " IN (",
                fitting);
    }

    private void list(
            SqlColumn column, String expression, String parameter, String in, List<Object> values) {
        sql.add(expression);
        String separator = in;
        for (Object value : values) {
            sql.add(separator).bind(parameter, dialect.bindable(column.column(), value));
            separator = ", ";
        }
        sql.add(")");
    }

    private static Comparator complement(Comparator comparator) {
        return switch (comparator) {
            case EQUAL -> Comparator.NOT_EQUAL;
            case NOT_EQUAL -> Comparator.EQUAL;
            case LESS -> Comparator.GREATER_OR_EQUAL;
            case LESS_OR_EQUAL -> Comparator.GREATER;
            case GREATER -> Comparator.LESS_OR_EQUAL;
            case GREATER_OR_EQUAL -> Comparator.LESS;
        };
    }

    private static String operator(Comparator comparator) {
        return switch (comparator) {
            case EQUAL -> " = ";
            case NOT_EQUAL -> " <> ";
            case LESS -> " < ";
            case LESS_OR_EQUAL -> " <= ";
            case GREATER -> " > ";
            case GREATER_OR_EQUAL -> " >= ";
        };
    }
}
