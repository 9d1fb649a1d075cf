package dev.penstock.query.sql;

import dev.penstock.query.QueryException;

/** What makes sense but is not to be had from this database exactly. The message says what and why. */
final class Refusal extends QueryException {
    private static final long serialVersionUID = 1L;

    Refusal(String message) {
        super(Kind.INVALID_PLAN, message);
    }
}
