package dev.penstock.query.sql.render;

import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import dev.penstock.query.Expression;
import dev.penstock.query.NativeValue;
import dev.penstock.query.Predicate;
import dev.penstock.query.Predicate.Comparator;
import dev.penstock.query.QueryException;
import dev.penstock.query.Subquery;
import dev.penstock.query.TruthTest;
import dev.penstock.query.sql.statement.BoundComparison;
import dev.penstock.query.sql.statement.Dialect;
import dev.penstock.query.sql.statement.Literals;
import dev.penstock.query.sql.statement.Parameter;
import dev.penstock.query.sql.statement.SqlBuilder;
import dev.penstock.query.sql.statement.SqlColumn;
import dev.penstock.query.sql.statement.SqlTable;
import dev.penstock.query.sql.statement.UnsupportedPlanException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A writer of predicates as SQL. Negation, of both kinds, is pushed down to the leaves, so that above them there are
 * only AND and OR; a leaf that is to be true of NULL says so. SQL's third truth value is then as good as false.
 */
public final class PredicateSql {
    private static final String TRUE = "1=1";
    private static final String FALSE = "1=0";

    private final SqlTable table;
    private final Dialect dialect;
    private final Literals literals;
    private final SqlBuilder sql;
    private final PlanSql plans;
    private final boolean isNested;

    /**
     * @param plans writes the subqueries
     * @param isNested whether the table is what a nested SELECT gives
     */
    PredicateSql(
            SqlTable table,
            Dialect dialect,
            Literals literals,
            SqlBuilder sql,
            PlanSql plans,
            boolean isNested) {
        this.table = table;
        this.dialect = dialect;
        this.literals = literals;
        this.sql = sql;
        this.plans = plans;
        this.isNested = isNested;
    }

    /** Returns a writer of conditions on the rows of a table, which may speak of others of the database. */
    public static PredicateSql of(
            Map<String, SqlTable> tables,
            SqlTable table,
            Dialect dialect,
            Literals literals,
            SqlBuilder sql) {
        return new PredicateSql(
                table, dialect, literals, sql, new PlanSql(tables, literals, dialect, sql), false);
    }

    public void write(Predicate predicate) {
        write(predicate, TruthTest.IS_TRUE);
    }

    private void write(Predicate predicate, TruthTest test) {
        switch (predicate) {
            case Predicate.Not(Predicate inner) -> write(inner, test.ofComplement());
            case Predicate.SqlNot(Predicate inner) -> write(inner, test.ofSqlNot());
            case Predicate.And(List<Predicate> all) -> writeAll(all, test, !test.isNegated());
            case Predicate.Or(List<Predicate> any) -> writeAll(any, test, test.isNegated());
            case Predicate.IsNull(String name) -> isNull(table.column(name), test.isNegated());
            case Predicate.Comparison(String name, Comparator comparator, Object value) ->
                    compare(table.column(name), comparator, value, test);
            case Predicate.In(String name, List<Object> values) ->
                    in(table.column(name), values, test);
            case Predicate.InSubquery(String name, Subquery subquery) ->
                    new SubquerySql(dialect, sql, plans, table, isNested)
                            .write(table.column(name), subquery.plan(), test);
            case Predicate.Text text -> text(table.column(text.column()), text, test);
            case Predicate.Matches matches -> {
                textOf(table.column(matches.column()));
                throw new UnsupportedPlanException(
                        "no database has regular expressions that mean just what those of Java do");
            }
            case Predicate.Relation relation -> relation(relation, test);
        }
    }

    /** A column against a value is a comparison, which an index may serve. */
    private void relation(Predicate.Relation relation, TruthTest test) {
        if (relation.left() instanceof Expression.ColumnValue(String name)
                && relation.right() instanceof Expression.Literal(Object value)
                && fits(name, value)) {
            compare(table.column(name), relation.comparator(), value, test);
        } else if (relation.right() instanceof Expression.ColumnValue(String name)
                && relation.left() instanceof Expression.Literal(Object value)
                && fits(name, value)) {
            compare(table.column(name), mirrored(relation.comparator()), value, test);
        } else {
            new RelationSql(table, dialect, literals, sql).write(relation, test);
        }
    }

    private boolean fits(String name, Object value) {
        ColumnType type = table.column(name).column().type();
        return type == ColumnType.of(literals.raw(value)) || !type.isNumeric();
    }

    private void text(SqlColumn column, Predicate.Text text, TruthTest test) {
        textOf(column);
        Parameter parameter = Parameter.of(Integer.parseInt(text.value()));
        Column c = column.column();
        boolean ignoringCase = text.ignoringCase();
        BoundComparison comparison =
                literals.bind(
                        parameter,
                        value -> BoundComparison.pattern(c, value, ignoringCase, dialect));
        if (!(comparison instanceof BoundComparison.Bound bound)) {
            return;
        }
        boolean negated = test.isNegated();
        boolean orNull = test.passesUnknown() && c.nullable();
        sql.add(orNull ? "(" : "").add(negated ? "NOT (" : "");
        dialect.text(
                sql, column, text.operation(), ignoringCase, Literals.binding(parameter, bound));
        sql.add(negated ? ")" : "");
        if (orNull) {
            sql.add(" OR ").add(column.nullTested()).add(" IS NULL)");
        }
    }

    private static void textOf(SqlColumn column) {
        Column c = column.column();
        if (!c.type().isTextual()) {
            throw new QueryException(
                    QueryException.Kind.INVALID_PLAN,
                    "column %s is %s (%s) and is looked at as a text"
                            .formatted(c.name(), c.type(), c.databaseType()));
        }
    }

    /** MariaDB says of the day 0000-00-00 that it IS NULL, where the column may not be; so it isn't asked there. */
    private void isNull(SqlColumn column, boolean negated) {
        if (column.column().nullable()) {
            sql.add(column.nullTested()).add(negated ? " IS NOT NULL" : " IS NULL");
        } else {
            sql.add(negated ? TRUE : FALSE);
        }
    }

    /** What is the same for every cell but NULL, of which it is unknown. */
    private void isNotNull(SqlColumn column, boolean truth) {
        if (truth) {
            isNull(column, true);
        } else {
            sql.add(FALSE);
        }
    }

    private void writeAll(List<Predicate> parts, TruthTest test, boolean and) {
        if (parts.isEmpty()) {
            sql.add(and ? TRUE : FALSE);
            return;
        }
        String separator = "(";
        for (Predicate part : parts) {
            sql.add(separator);
            write(part, test);
            separator = and ? " AND " : " OR ";
        }
        sql.add(")");
    }

    private void compare(SqlColumn column, Comparator comparator, Object value, TruthTest test) {
        boolean negated = test.isNegated();
        boolean passesNull = comparator == Comparator.NOT_EQUAL ? !negated : test.passesUnknown();
        Comparator effective = negated ? complement(comparator) : comparator;
        if (!passesNull || !column.column().nullable()) {
            leaf(column, effective, value);
            return;
        }
        sql.add("(");
        leaf(column, effective, value);
        sql.add(" OR ").add(column.nullTested()).add(" IS NULL)");
    }

    /** True or false of a cell that is not NULL. */
    private void leaf(SqlColumn column, Comparator by, Object literal) {
        switch (literals.bind(literal, value -> dialect.bind(column, by, value))) {
            case BoundComparison.Always(boolean truth) -> isNotNull(column, truth);
            case BoundComparison.Bound bound -> {
                String signed = dialect.negativeZero(column);
                if (signed != null && isZero(bound.value())) {
                    zero(column, bound.comparator(), bound.value(), signed);
                } else {
                    bound(column, bound, Literals.binding(literal, bound));
                }
            }
        }
    }

    private void bound(SqlColumn column, BoundComparison.Bound bound, Literals.Binding value) {
        String operator = operator(bound.comparator());
        if (bound.detail() == SqlColumn.NATIVE) {
            SqlColumn.NativeComparison nativeComparison =
                    column.requireNativeComparison(dialect.name());
            sql.add(nativeComparison.comparable())
                    .add(operator)
                    .bind(nativeComparison.parameter(), value);
            sql.check(new SqlBuilder.Check(nativeComparison.isNone(), value, column.column()));
            return;
        }
        SqlColumn.Equality equality = column.equality();
        if (equality == null || !serves(equality, bound)) {
            sql.add(column.comparable()).add(operator);
            sql.bind(column.parameter(), value, dialect::bindable);
            return;
        }
        sql.add(equality.exact() ? "" : "(").add(equality.expression()).add(operator);
        sql.bind(equality.parameter(), value, dialect::bindable);
        if (!equality.exact()) {
            sql.add(" AND ").add(column.comparable()).add(operator);
            sql.bind(column.parameter(), value, dialect::bindable);
            sql.add(")");
        }
    }

    private static boolean serves(SqlColumn.Equality equality, BoundComparison.Bound bound) {
        boolean equal = bound.comparator() == Comparator.EQUAL;
        boolean different = bound.comparator() == Comparator.NOT_EQUAL && equality.exact();
        return bound.detail() == SqlColumn.TAKEN && (equal || different);
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

    private void in(SqlColumn column, List<Object> values, TruthTest test) {
        boolean negated = test.isNegated();
        boolean orNull = test.passesUnknown() && column.column().nullable();
        if (values.isEmpty()) {
            sql.add(negated ? TRUE : FALSE);
            return;
        }
        sql.add(orNull ? "((" : "(");
        boolean isNative =
                values.stream().anyMatch(value -> literals.raw(value) instanceof NativeValue);
        if (isNative || dialect.negativeZero(column) != null) {
            each(column, values, negated);
        } else {
            list(column, values, negated);
        }
        sql.add(")");
        if (orNull) {
            sql.add(" OR ").add(column.nullTested()).add(" IS NULL)");
        }
    }

    /** A list of values as one comparison each. */
    private void each(SqlColumn column, List<Object> values, boolean negated) {
        String separator = "";
        Comparator by = negated ? Comparator.NOT_EQUAL : Comparator.EQUAL;
        for (Object value : values) {
            sql.add(separator);
            leaf(column, by, value);
            separator = negated ? " AND " : " OR ";
        }
    }

    private void list(SqlColumn column, List<Object> values, boolean negated) {
        List<Literals.Binding> binder = new ArrayList<>();
        boolean taken = true;
        for (Object literal : values) {
            if (literals.bind(literal, value -> dialect.bind(column, Comparator.EQUAL, value))
                    instanceof BoundComparison.Bound bound) {
                binder.add(Literals.binding(literal, bound));
                taken &= bound.detail() == SqlColumn.TAKEN;
            }
        }
        if (binder.isEmpty()) {
            isNotNull(column, negated);
            return;
        }
        String in = negated ? " NOT IN (" : " IN (";
        SqlColumn.Equality equality = column.equality();
        boolean exact = equality != null && taken && equality.exact();
        if (equality != null && taken && (exact || !negated)) {
            list(equality.expression(), equality.parameter(), in, binder);
            sql.add(exact ? "" : " AND ");
        }
        if (!exact) {
            list(column.comparable(), column.parameter(), in, binder);
        }
    }

    private void list(
            String expression, String parameter, String in, List<Literals.Binding> values) {
        sql.add(expression);
        String separator = in;
        for (Literals.Binding value : values) {
            sql.add(separator).bind(parameter, value, dialect::bindable);
            separator = ", ";
        }
        sql.add(")");
    }

    public static Comparator complement(Comparator comparator) {
        return switch (comparator) {
            case EQUAL -> Comparator.NOT_EQUAL;
            case NOT_EQUAL -> Comparator.EQUAL;
            case LESS -> Comparator.GREATER_OR_EQUAL;
            case LESS_OR_EQUAL -> Comparator.GREATER;
            case GREATER -> Comparator.LESS_OR_EQUAL;
            case GREATER_OR_EQUAL -> Comparator.LESS;
        };
    }

    private static Comparator mirrored(Comparator comparator) {
        return switch (comparator) {
            case EQUAL, NOT_EQUAL -> comparator;
            case LESS -> Comparator.GREATER;
            case LESS_OR_EQUAL -> Comparator.GREATER_OR_EQUAL;
            case GREATER -> Comparator.LESS;
            case GREATER_OR_EQUAL -> Comparator.LESS_OR_EQUAL;
        };
    }

    public static String operator(Comparator comparator) {
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
