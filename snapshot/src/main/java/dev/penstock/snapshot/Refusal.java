package dev.penstock.snapshot;

import dev.penstock.query.QueryException;

/** A plan that makes sense, but is not answered in memory. */
final class Refusal extends QueryException {
    private static final long serialVersionUID = 1L;

    Refusal(String message) {
        super(Kind.INVALID_PLAN, message);
    }
}
