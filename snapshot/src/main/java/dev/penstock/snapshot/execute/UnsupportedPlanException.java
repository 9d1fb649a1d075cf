package dev.penstock.snapshot.execute;

import dev.penstock.query.Column;
import dev.penstock.query.QueryException;

/** A plan that makes sense, but is not answered in memory. */
public final class UnsupportedPlanException extends QueryException {
    private static final long serialVersionUID = 1L;

    private final boolean isForDatabase;
    private final String why;

    UnsupportedPlanException(String message) {
        this(message, false);
    }

    private UnsupportedPlanException(String message, boolean isForDatabase) {
        super(Kind.INVALID_PLAN, message);
        this.isForDatabase = isForDatabase;
        why = message;
    }

    private UnsupportedPlanException(String why, String remedy) {
        super(Kind.UNKNOWN_NAME, why + ": " + remedy);
        this.isForDatabase = true;
        this.why = why;
    }

    /** Of a plan that needs what was not loaded; by its kind, nobody tries it in parts. */
    static UnsupportedPlanException notHeld(String why, String remedy) {
        return new UnsupportedPlanException(why, remedy);
    }

    /** Returns the message without a remedy. */
    public String why() {
        return why;
    }

    /** Of a plan that only the database knows the meaning of. */
    static UnsupportedPlanException forDatabase(Column column) {
        return new UnsupportedPlanException(
                "column %s is compared as its type %s is in the database, which only that knows"
                        .formatted(column.name(), column.databaseType()),
                true);
    }

    /** Returns whether the plan needs a column or rows of its table that were not loaded. */
    public boolean isNotHeld() {
        return kind() == Kind.UNKNOWN_NAME;
    }

    /** Returns whether the plan is one for the database, even though its table is in memory. */
    public boolean isForDatabase() {
        return isForDatabase;
    }
}
