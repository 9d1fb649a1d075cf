package dev.penstock.query.sql;

/** A signal that an answer has more rows than may be had at once. It is cheap, since it is caught where the answer was asked for. */
final class LongAnswerException extends RuntimeException {
    private static final long serialVersionUID = 1;

    LongAnswerException() {
        super("more rows than were expected", null, false, false);
    }
}
