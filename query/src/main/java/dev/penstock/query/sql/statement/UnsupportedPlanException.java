package dev.penstock.query.sql.statement;

import dev.penstock.query.QueryException;

/** A failure to express a plan exactly in a database's SQL. The message says what and why. */
public final class UnsupportedPlanException extends QueryException {
    private static final long serialVersionUID = 1L;

    public UnsupportedPlanException(String message) {
        super(Kind.INVALID_PLAN, message);
    }
}
