package dev.penstock.query;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/** A failure to answer a plan. Messages name tables and columns, never the values that a query binds. */
public class QueryException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The kind of a failure, for callers that must choose an answer. */
    public enum Kind {
        /** The plan names a table or column that is not there. */
        UNKNOWN_NAME,
        /** The plan does not make sense: a value that the column's type can't hold, a negative limit, and so on. */
        INVALID_PLAN,
        /** No connection in time, or the database can't be reached. */
        UNAVAILABLE,
        /** A row is wider than may be held in memory. */
        ROW_TOO_WIDE,
        /** More memory would be needed than was allowed. */
        MEMORY_LIMIT,
        /** The driver would read the whole result into memory. */
        NOT_STREAMING,
        /** The query was cancelled, or its cursor was closed meanwhile. */
        CANCELLED,
        /** The database said no, or broke off. */
        DATABASE
    }

    private final Kind kind;

    public QueryException(Kind kind, String message) {
        this(kind, message, null);
    }

    public QueryException(Kind kind, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = requireNonNull(kind);
    }

    /** Returns what went wrong. */
    public Kind kind() {
        return kind;
    }
}
