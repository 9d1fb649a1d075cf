package dev.penstock.snapshot;

import dev.penstock.query.Column;
import dev.penstock.query.QueryException;

/** A plan that makes sense, but is not answered in memory. */
final class Refusal extends QueryException {
    private static final long serialVersionUID = 1L;

    private final boolean isForDatabase;

    Refusal(String message) {
        this(message, false);
    }

    private Refusal(String message, boolean isForDatabase) {
        super(Kind.INVALID_PLAN, message);
        this.isForDatabase = isForDatabase;
    }

    /** Of a plan that only the database knows the meaning of. */
    static Refusal forDatabase(Column column) {
        return new Refusal(
                "column %s is compared as its type %s is in the database, which only that knows"
                        .formatted(column.name(), column.databaseType()),
                true);
    }

    /** Whether the plan is one for the database, even though its table is in memory. */
    boolean isForDatabase() {
        return isForDatabase;
    }
}
