package dev.penstock.snapshot.execute;

import dev.penstock.query.Column;
import dev.penstock.query.QueryException;

/** A plan that makes sense, but is not answered in memory. */
public final class UnsupportedPlanException extends QueryException {
    private static final long serialVersionUID = 1L;

    private final boolean isForDatabase;

    UnsupportedPlanException(String message) {
        this(message, false);
    }

    private UnsupportedPlanException(String message, boolean isForDatabase) {
        super(Kind.INVALID_PLAN, message);
        this.isForDatabase = isForDatabase;
    }

    /** Of a plan that only the database knows the meaning of. */
    static UnsupportedPlanException forDatabase(Column column) {
        return new UnsupportedPlanException(
                "column %s is compared as its type %s is in the database, which only that knows"
                        .formatted(column.name(), column.databaseType()),
                true);
    }

    /** Returns whether the plan is one for the database, even though its table is in memory. */
    public boolean isForDatabase() {
        return isForDatabase;
    }
}
