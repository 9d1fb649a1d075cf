package dev.penstock.query.typed.subquery;

/** A stream of a typed table, whose values a condition may compare with. */
public interface SubqueryStream {
    /**
     * Uses the stream up, as a terminal operation does; nothing is read.
     *
     * @throws IllegalStateException if it was used before
     */
    StreamSubquery subquery();
}
