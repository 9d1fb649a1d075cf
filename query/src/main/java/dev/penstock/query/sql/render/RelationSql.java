package dev.penstock.query.sql.render;

import dev.penstock.query.ColumnType;
import dev.penstock.query.Expression;
import dev.penstock.query.Predicate;
import dev.penstock.query.Predicate.Comparator;
import dev.penstock.query.QueryException;
import dev.penstock.query.TruthTest;
import dev.penstock.query.sql.statement.Dialect;
import dev.penstock.query.sql.statement.Literals;
import dev.penstock.query.sql.statement.SqlBuilder;
import dev.penstock.query.sql.statement.SqlColumn;
import dev.penstock.query.sql.statement.SqlTable;
import dev.penstock.query.sql.statement.UnsupportedPlanException;
import java.util.LinkedHashSet;
import java.util.Set;

/** A writer of conditions between two expressions. Like {@link PredicateSql}, it takes NULL for as good as false. */
final class RelationSql {
    private final SqlTable table;
    private final Dialect dialect;
    private final SqlBuilder sql;
    private final ExpressionSql expressions;

    RelationSql(SqlTable table, Dialect dialect, Literals literals, SqlBuilder sql) {
        this.table = table;
        this.dialect = dialect;
        this.sql = sql;
        this.expressions = new ExpressionSql(table, dialect, literals, sql);
    }

    void write(Predicate.Relation relation, TruthTest test) {
        boolean negated = test.isNegated();
        Expression left = relation.left();
        Expression right = relation.right();
        boolean floating = requireComparable(left, right);
        Comparator comparator = relation.comparator();
        Comparator effective = negated ? PredicateSql.complement(comparator) : comparator;
        Set<String> leftNulls = nullable(left);
        Set<String> rightNulls = nullable(right);
        boolean distinct = comparator == Comparator.NOT_EQUAL;
        sql.add("(");
        if (floating) {
            floating((Expression.ColumnValue) left, effective, (Expression.ColumnValue) right);
        } else {
            expressions.write(left);
            sql.add(PredicateSql.operator(effective));
            expressions.write(right);
        }
        if (distinct && negated) {
            either(leftNulls, rightNulls, " OR (", " AND ");
        } else if (distinct) {
            difference(leftNulls, rightNulls);
        } else if (test.passesUnknown()) {
            Set<String> all = new LinkedHashSet<>(leftNulls);
            all.addAll(rightNulls);
            all.forEach(column -> sql.add(" OR ").add(column).add(" IS NULL"));
        }
        sql.add(")");
    }

    /** Both NULL; only where both may be. */
    private void either(Set<String> left, Set<String> right, String before, String between) {
        if (!left.isEmpty() && !right.isEmpty()) {
            sql.add(before).add(isNull(left)).add(between).add(isNull(right)).add(")");
        }
    }

    /** Just one of them NULL. */
    private void difference(Set<String> left, Set<String> right) {
        if (!left.isEmpty()) {
            sql.add(" OR (")
                    .add(isNull(left))
                    .add(right.isEmpty() ? "" : " AND NOT " + isNull(right));
            sql.add(")");
        }
        if (!right.isEmpty()) {
            sql.add(" OR (")
                    .add(isNull(right))
                    .add(left.isEmpty() ? "" : " AND NOT " + isNull(left));
            sql.add(")");
        }
    }

    private static String isNull(Set<String> columns) {
        return "("
                + String.join(" OR ", columns.stream().map(column -> column + " IS NULL").toList())
                + ")";
    }

    private Set<String> nullable(Expression expression) {
        Set<String> names = new LinkedHashSet<>();
        ColumnRenaming.collecting(names).expression(expression);
        Set<String> nullable = new LinkedHashSet<>();
        for (String name : names) {
            SqlColumn column = table.column(name);
            if (column.column().nullable()) {
                nullable.add(column.nullTested());
            }
        }
        return nullable;
    }

    /** Tells whether both are floating-point columns. */
    private boolean requireComparable(Expression left, Expression right) {
        ColumnType one = expressions.type(left);
        ColumnType other = expressions.type(right);
        if (one.isNumeric() && other.isNumeric()) {
            if (!one.isFloating() && !other.isFloating()) {
                return false;
            }
            if (one.isFloating()
                    && other.isFloating()
                    && left instanceof Expression.ColumnValue
                    && right instanceof Expression.ColumnValue) {
                return true;
            }
            throw ExpressionSql.inexact();
        }
        if (one != other) {
            throw new QueryException(
                    QueryException.Kind.INVALID_PLAN,
                    "of table %s, what is %s is compared with what is %s"
                            .formatted(table.table().name(), one, other));
        }
        if (!(left instanceof Expression.ColumnValue)
                || !(right instanceof Expression.ColumnValue)) {
            throw new UnsupportedPlanException("two values without a column are compared");
        }
        return false;
    }

    /** Zeros that the database takes for equal are told apart by their signs: the negative one is the lesser. */
    private void floating(
            Expression.ColumnValue leftColumn,
            Comparator comparator,
            Expression.ColumnValue rightColumn) {
        SqlColumn left = table.column(leftColumn.column());
        SqlColumn right = table.column(rightColumn.column());
        String a = left.comparable();
        String b = right.comparable();
        String minusA = dialect.negativeZero(left);
        String minusB = dialect.negativeZero(right);
        if (minusA == null || minusB == null || minusA.equals("FALSE")) {
            sql.add(a).add(PredicateSql.operator(comparator)).add(b);
            return;
        }
        String zeros = a + " = 0 AND " + b + " = 0";
        String same = "(" + minusA + ") = (" + minusB + ")";
        String less = "(" + minusA + ") AND NOT (" + minusB + ")";
        String greater = "NOT (" + minusA + ") AND (" + minusB + ")";
        String tie =
                switch (comparator) {
                    case EQUAL -> same;
                    case NOT_EQUAL -> "NOT (" + same + ")";
                    case LESS -> less;
                    case LESS_OR_EQUAL -> "NOT (" + greater + ")";
                    case GREATER -> greater;
                    case GREATER_OR_EQUAL -> "NOT (" + less + ")";
                };
        sql.add("CASE WHEN " + zeros + " THEN " + tie + " ELSE ");
        sql.add(a).add(PredicateSql.operator(comparator)).add(b).add(" END");
    }
}
