package dev.penstock.query.sql.statement;

/**
 * The places of a skip and a limit among the values; −1 for none.
 *
 * @param skip rows that are left out
 * @param limit rows that are given at the most
 * @param skipsInCursor whether the cursor leaves them out, not the SQL
 */
public record WindowParameters(int skip, int limit, boolean skipsInCursor) {
    public static final WindowParameters NONE = new WindowParameters(-1, -1, false);

    public boolean isEmpty() {
        return skip < 0 && limit < 0;
    }
}
