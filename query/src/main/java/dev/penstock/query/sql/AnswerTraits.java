package dev.penstock.query.sql;

/**
 * What else is to be known of an answer.
 *
 * @param single whether it has one row at the most
 * @param plain whether no value in it is spelled as the session's settings say
 */
record AnswerTraits(boolean single, boolean plain) {}
