package dev.penstock.query.typed.execute;

/**
 * The demand of a terminal operation on the rows.
 *
 * @param parallel whether several threads take them
 * @param inKeyOrder whether they come in the order of the key if in no other, because elements are chosen by place
 * @param outlivesTerminal whether they are read after the terminal operation as well, so that nobody is sure to close
 *     the cursor
 * @param mostElements how many elements are looked at
 */
public record RowDemand(
        boolean parallel, boolean inKeyOrder, boolean outlivesTerminal, long mostElements) {}
