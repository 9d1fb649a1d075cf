package dev.penstock.query.sql.statement;

import dev.penstock.query.QueryException;

/** What makes sense but is not to be had from this database exactly. The message says what and why. */
public final class UnsupportedPlanException extends QueryException {
    private static final long serialVersionUID = 1L;

    public UnsupportedPlanException(String message) {
        super(Kind.INVALID_PLAN, message);
    }
}
