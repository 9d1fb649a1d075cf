package dev.penstock.query.sql.render;

import dev.penstock.query.Plan;
import dev.penstock.query.sql.statement.BoundComparison;
import dev.penstock.query.sql.statement.SqlQuery;
import dev.penstock.query.sql.statement.SqlTemplate;

/** A plan whose SQL is known and whose values fit. Immutable. */
public final class PreparedPlan {
    private final StatementCache statements;
    private final Plan plan;
    private final PlanShape shape;
    private final BoundComparison[] comparisons;
    private final StatementCache.Variant variant;

    PreparedPlan(
            StatementCache statements,
            Plan plan,
            PlanShape shape,
            BoundComparison[] comparisons,
            StatementCache.Variant variant) {
        this.statements = statements;
        this.plan = plan;
        this.shape = shape;
        this.comparisons = comparisons;
        this.variant = variant;
    }

    /** Returns whether this is of the very same plan, which is cheaper to know than whether it is of an equal one. */
    @SuppressWarnings("ReferenceEquality")
    public boolean isOf(Plan other) {
        return plan == other;
    }

    /** Returns the SQL as it streams. */
    public SqlTemplate template() {
        return variant.streaming();
    }

    /** Returns whether the whole answer may well be had at once, without any setting of the session. */
    public boolean isShort() {
        SqlTemplate template = template();
        if (!template.traits().plain() || template.skip(comparisons) > 0) {
            return false;
        }
        long rows = template.rows(comparisons);
        return rows < Long.MAX_VALUE
                ? rows <= template.rowsAtOnce()
                : template.length().isLikelyShort();
    }

    /** Returns how many values it binds. */
    public int values() {
        return template().bindings().size();
    }

    /** Returns the query, by one of the paths that there are. */
    public SqlQuery query(QueryPath path) {
        return statements.template(shape, variant, path).query(comparisons);
    }
}
