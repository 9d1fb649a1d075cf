package dev.penstock.query.sql.render;

import dev.penstock.query.ColumnType;
import dev.penstock.query.Plan;
import dev.penstock.query.Plan.Item;
import dev.penstock.query.Predicate;
import dev.penstock.query.QueryException;
import dev.penstock.query.TruthTest;
import dev.penstock.query.sql.statement.Capability;
import dev.penstock.query.sql.statement.Dialect;
import dev.penstock.query.sql.statement.SqlBuilder;
import dev.penstock.query.sql.statement.SqlColumn;
import dev.penstock.query.sql.statement.SqlTable;
import dev.penstock.query.sql.statement.UnsupportedPlanException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A writer of conditions on the values of a subquery, as {@code IN} and {@code NOT IN} of a SELECT of one column.
 *
 * <p>A NULL among the values would make {@code NOT IN} unknown of every row, so that NULLs are left out there; {@code
 * IN} needs nothing of the kind. Nobody vouches for what a view says of its columns, so that its values are given to
 * {@code NOT EXISTS}, to which a NULL among them is nothing; and a view's cell may be NULL whatever it says. A SELECT
 * that is cut is read by another one, because MariaDB and MySQL take no {@code LIMIT} within {@code IN}; it gives what
 * is compared, for MariaDB loses values where only the outer one does.
 * Databases run {@code IN} as a semi-join, and {@code NOT IN} as an anti-join; only PostgreSQL does the latter for
 * {@code NOT EXISTS} alone, and is given that.
 */
final class SubquerySql {
    private final Dialect dialect;
    private final SqlBuilder sql;
    private final PlanSql plans;
    private final SqlTable outer;
    private final boolean isNested;

    /**
     * @param outer what the cells are of that are looked up
     * @param isNested whether that is what a nested SELECT gives
     */
    SubquerySql(Dialect dialect, SqlBuilder sql, PlanSql plans, SqlTable outer, boolean isNested) {
        this.dialect = dialect;
        this.sql = sql;
        this.plans = plans;
        this.outer = outer;
        this.isNested = isNested;
    }

    /** Writes a test of the condition that a column's cell is among the values. */
    void write(SqlColumn column, Plan plan, TruthTest test) {
        boolean negated = test.isNegated();
        boolean isNullable = column.column().nullable() || outer.table().view();
        boolean isOfView = plan.table().view();
        boolean isExists = negated && (isOfView || dialect.has(Capability.NEEDS_NOT_EXISTS));
        // NOT EXISTS is true of NULL already; anything joined to it by OR would prevent an
        // anti-join.
        boolean orNull = test.passesUnknown() && isNullable && !isExists;
        boolean andPresent = negated && !test.passesUnknown() && isNullable;
        sql.add(orNull || andPresent ? "(" : "");
        if (isExists) {
            sql.add("NOT EXISTS (SELECT 1 FROM (");
            select(column, plan, false, true);
            sql.add(") s WHERE s.v = ").add(column.comparable()).add(")");
        } else {
            sql.add(column.comparable()).add(negated ? " NOT IN (" : " IN (");
            select(column, plan, negated, false);
            sql.add(")");
        }
        if (orNull || andPresent) {
            sql.add(orNull ? " OR " : " AND ").add(column.nullTested());
            sql.add(orNull ? " IS NULL)" : " IS NOT NULL)");
        }
    }

    /**
     * Writes the SELECT of the values.
     *
     * @param isNamed whether the values are a column {@code v}
     */
    private void select(SqlColumn column, Plan plan, boolean withoutNulls, boolean isNamed) {
        Plan all = Plan.of(plan);
        String name = all.items().getFirst().label();
        if (all.items().size() != 1) {
            throw new QueryException(
                    QueryException.Kind.INVALID_PLAN,
                    "column %s is looked up in a plan of %d columns; it takes one"
                            .formatted(column.column().name(), all.items().size()));
        }
        Plan flat = PlanNormalizer.flat(all);
        boolean isCut = !flat.slices().isEmpty();
        boolean testsNull = withoutNulls && plan.column(name).nullable();
        if (testsNull && !isCut) {
            Predicate present = new Predicate.Not(new Predicate.IsNull(name));
            flat = PlanNormalizer.flat(all.where(present));
        }
        SqlTable scope = plans.scope(flat.source());
        Item item = flat.items().getFirst();
        SqlColumn source = scope.column(item.column());
        requireComparable(column, source);
        boolean losesTexts = dialect.has(Capability.LOSES_NESTED_TEXTS);
        requireWhole(column, losesTexts && (isNested || outer.table().view()));
        boolean isOfView = losesTexts && plan.table().view();
        requireWhole(source, isOfView || flat.source() instanceof Plan);
        boolean isReadAgain = isCut && !isNamed;
        sql.add(isReadAgain ? "SELECT s.v FROM (SELECT " : "SELECT ").add(compared(column, source));
        sql.add(isCut || isNamed ? " AS v" : "");
        Set<String> needed = new LinkedHashSet<>(List.of(item.column()));
        plans.from(flat, scope, needed, isCut ? PlanSql.order(flat) : List.of());
        if (isCut) {
            plans.window(flat, false);
        }
        sql.add(isReadAgain ? ") s" : "");
        sql.add(isReadAgain && testsNull ? " WHERE s.v IS NOT NULL" : "");
    }

    /**
     * Returns a value as it is compared with a column. PostgreSQL compares no texts of two collations unless the column
     * names one; so that an index of the column serves, the value is given the column's.
     */
    private String compared(SqlColumn column, SqlColumn source) {
        String collation = column.collation();
        return collation == null || collation.equals(source.collation())
                ? source.comparable()
                : "(" + source.text() + ") COLLATE " + dialect.quote(collation);
    }

    private void requireComparable(SqlColumn column, SqlColumn source) {
        ColumnType one = column.column().type();
        ColumnType other = source.column().type();
        boolean areExact = isExact(one) && isExact(other);
        if (one != other && !areExact) {
            throw new UnsupportedPlanException(
                    "column %s is %s and is looked up in values that are %s"
                            .formatted(column.column().name(), one, other));
        }
        if (areExact && !dialect.comparesExactly(column, source)) {
            throw new UnsupportedPlanException(
                    "column %s is %s and is looked up in values that are %s, of which %s makes the same first"
                            .formatted(
                                    column.column().name(),
                                    column.column().databaseType(),
                                    source.column().databaseType(),
                                    dialect.name()));
        }
        if (dialect.negativeZero(column) != null || dialect.negativeZero(source) != null) {
            throw new UnsupportedPlanException(
                    "column %s is %s, of which %s does not tell two zeros apart"
                            .formatted(column.column().name(), one, dialect.name()));
        }
    }

    /**
     * Requires that no cell is lost. MariaDB may lose texts that another SELECT gives where the one around it converts
     * them, as it does to compare them by code points; a view may be such a SELECT.
     *
     * @param isGiven whether the column is of another SELECT, or may be
     */
    private void requireWhole(SqlColumn column, boolean isGiven) {
        ColumnType type = column.column().type();
        boolean isConverted =
                (type.isTextual() || type == ColumnType.UUID)
                        && !column.comparable().equals(column.name());
        if (isGiven && isConverted) {
            throw new UnsupportedPlanException(
                    "texts of %s are compared that a nested SELECT or a view gives, of which %s may lose some"
                            .formatted(column.column().name(), dialect.name()));
        }
    }

    private static boolean isExact(ColumnType type) {
        return type.isNumeric() && !type.isFloating();
    }
}
