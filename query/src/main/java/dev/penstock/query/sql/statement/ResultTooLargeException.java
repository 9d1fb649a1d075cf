package dev.penstock.query.sql.statement;

/**
 * A signal that a result has more rows than may be read at once. It is cheap, since it is caught where the answer was
 * asked for.
 */
public final class ResultTooLargeException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public ResultTooLargeException() {
        super("more rows than were expected", null, false, false);
    }
}
