package dev.penstock.query.sql.schema;

import dev.penstock.query.sql.statement.SqlColumn;

/**
 * The collation of texts in MariaDB and MySQL, and who spells their days; the spelling is {@code MariaDbSchema}'s.
 *
 * @param exactCollation the server's collation of code points; empty if it has none
 * @param spellsDays whether the driver spells a day as the server does
 */
public record MariaDbExactText(String exactCollation, boolean spellsDays) {
    /** Returns a column of texts in utf8mb4 that compare by code point, without regard to their own collation. */
    public SqlColumn exact(SqlColumn column, String text) {
        return exactCollation.isEmpty()
                ? bytes(column, text)
                : column.withComparable(text + " COLLATE " + exactCollation, "?").withText(text);
    }

    /**
     * Returns a column that compares by its bytes of UTF-8: as code points do, and without regard to any collation or
     * padding.
     */
    public static SqlColumn bytes(SqlColumn column, String text) {
        return column.withComparable(bytes(text), bytes("?")).withText(text);
    }

    public static String bytes(String text) {
        return "CAST(CONVERT(" + text + " USING utf8mb4) AS BINARY)";
    }
}
