package dev.penstock.query.sql.render;

import dev.penstock.query.Plan;
import dev.penstock.query.sql.statement.Fitted;
import dev.penstock.query.sql.statement.SqlQuery;
import dev.penstock.query.sql.statement.SqlTemplate;

/** A plan whose SQL is known and whose values fit. Immutable. */
public final class PreparedPlan {
    private final Statements statements;
    private final Plan plan;
    private final Shape shape;
    private final Fitted[] fitted;
    private final Statements.Variant variant;

    PreparedPlan(
            Statements statements,
            Plan plan,
            Shape shape,
            Fitted[] fitted,
            Statements.Variant variant) {
        this.statements = statements;
        this.plan = plan;
        this.shape = shape;
        this.fitted = fitted;
        this.variant = variant;
    }

    /** Whether this is of the very same plan, which is cheaper to know than whether it is of an equal one. */
    @SuppressWarnings("ReferenceEquality")
    public boolean isOf(Plan other) {
        return plan == other;
    }

    /** The SQL as it streams. */
    public SqlTemplate template() {
        return variant.streaming();
    }

    /** Whether the whole answer may well be had at once, without any setting of the session. */
    public boolean isShort() {
        SqlTemplate template = template();
        if (!template.traits().plain() || template.skip(fitted) > 0) {
            return false;
        }
        long rows = template.rows(fitted);
        return rows < Long.MAX_VALUE
                ? rows <= template.rowsAtOnce()
                : template.length().isLikelyShort();
    }

    /** How many values it binds. */
    public int values() {
        return template().bindings().size();
    }

    /** The query, by one of the paths that there are. */
    public SqlQuery query(QueryPath path) {
        return statements.template(shape, variant, path).query(fitted);
    }
}
