package dev.penstock.query.sql.render;

import dev.penstock.query.sql.statement.Dialect;

/** A way in which a database is queried; not every database has all of them. */
public enum QueryPath {
    /** Rows come a batch at a time. */
    STREAMING,
    /** The whole answer comes at once, in a single round trip. */
    AT_ONCE,
    /** Rows come a batch at a time, and the query binds more than {@link Dialect#MANY_VALUES} values. */
    MANY_VALUES
}
