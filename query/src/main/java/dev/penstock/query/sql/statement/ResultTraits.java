package dev.penstock.query.sql.statement;

/**
 * Properties of a result.
 *
 * @param single whether it has one row at the most
 * @param plain whether no value in it is spelled as the session's settings say
 */
public record ResultTraits(boolean single, boolean plain) {}
