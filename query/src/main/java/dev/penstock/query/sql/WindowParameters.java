package dev.penstock.query.sql;

/**
 * Where a skip and a limit are among the values; −1 for none.
 *
 * @param skip rows that are left out
 * @param limit rows that are given at the most
 * @param skipsInCursor whether the cursor leaves them out, not the SQL
 */
record WindowParameters(int skip, int limit, boolean skipsInCursor) {
    static final WindowParameters NONE = new WindowParameters(-1, -1, false);

    boolean isEmpty() {
        return skip < 0 && limit < 0;
    }
}
