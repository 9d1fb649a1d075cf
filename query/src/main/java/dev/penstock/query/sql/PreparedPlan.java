package dev.penstock.query.sql;

import dev.penstock.query.Plan;

/** A plan whose SQL is known and whose values fit. Immutable. */
final class PreparedPlan {
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
    boolean isOf(Plan other) {
        return plan == other;
    }

    /** The SQL as it streams. */
    SqlTemplate template() {
        return variant.streaming();
    }

    /** Whether the whole answer may well be had at once, without any setting of the session. */
    boolean isShort() {
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
    int values() {
        return template().bindings().size();
    }

    /** The query, by one of the paths that there are. */
    SqlQuery query(QueryPath path) {
        return statements.template(shape, variant, path).query(fitted);
    }
}
