package dev.penstock.follow.binlog;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The effect that a statement which the log has as text has on tables. Where rows are logged, such are the definitions
 * of tables and the ends of transactions; others change rows of any table, by triggers and functions too.
 */
enum StatementEffect {
    /** No row changes, and no table's definition. */
    NONE,
    /** The transaction ends; what was changed stays. */
    COMMIT,
    /** A prepared transaction is committed. */
    XA_COMMIT,
    /** A prepared transaction is rolled back. */
    XA_ROLLBACK,
    /** The definition of what it names changes, and perhaps all its rows. */
    DEFINITION,
    /** Rows of any table may have changed. */
    ANY_ROWS;

    /** Texts that are longer are not looked at: they may concern any table. */
    static final int MOST_BYTES = 1 << 20;

    /** Comments before the first word, and the beginning of one that MariaDB reads as if it were none. */
    private static final Pattern LEADING =
            Pattern.compile(
                    "(?s)(?:\\s|/\\*(?![!M]).*?\\*/|/\\*M?![0-9]*|--[^\\n]*\\n|#[^\\n]*\\n|;)*+");

    private static final Pattern WORD = Pattern.compile("[A-Za-z]+");
    private static final Pattern XA = Pattern.compile("(?is)XA\\s+([A-Z]+).*");

    /** Statements that change definitions, and the rows of no table that they don't name. */
    private static final Set<String> DEFINING =
            Set.of("CREATE", "ALTER", "DROP", "RENAME", "TRUNCATE", "REPAIR");

    private static final Set<String> HARMLESS =
            Set.of(
                    "BEGIN",
                    "SAVEPOINT",
                    "RELEASE",
                    "GRANT",
                    "REVOKE",
                    "OPTIMIZE",
                    "FLUSH",
                    "START",
                    "INSTALL",
                    "UNINSTALL");

    /** Returns what a statement does. */
    static StatementEffect of(String sql) {
        Matcher leading = LEADING.matcher(sql);
        int start = leading.lookingAt() ? leading.end() : 0;
        Matcher word = WORD.matcher(sql).region(start, sql.length());
        if (!word.lookingAt()) {
            return ANY_ROWS;
        }
        String first = word.group().toUpperCase(Locale.ROOT);
        return switch (first) {
            case "COMMIT" -> COMMIT;
            // Logged of transactions that changed tables which can't be rolled back; to a
            // savepoint, it ends nothing.
            case "ROLLBACK" ->
                    sql.substring(word.end()).strip().regionMatches(true, 0, "TO", 0, 2)
                            ? NONE
                            : COMMIT;
            case "ANALYZE" -> isOfTable(sql.substring(word.end())) ? NONE : ANY_ROWS;
            case "SET" -> isOfUsers(sql.substring(word.end())) ? NONE : ANY_ROWS;
            case "XA" -> distributed(sql.substring(start));
            default ->
                    DEFINING.contains(first)
                            ? DEFINITION
                            : HARMLESS.contains(first) ? NONE : ANY_ROWS;
        };
    }

    /** It may also be of a statement that changes rows. */
    private static boolean isOfTable(String rest) {
        return begins(rest, "TABLE") || begins(rest, "LOCAL") || begins(rest, "NO_WRITE_TO_BINLOG");
    }

    private static boolean isOfUsers(String rest) {
        return begins(rest, "PASSWORD") || begins(rest, "DEFAULT ROLE");
    }

    private static boolean begins(String text, String word) {
        return text.stripLeading().regionMatches(true, 0, word, 0, word.length());
    }

    /** Returns the first word of a statement, in capital letters; empty if it begins with none. */
    static String firstWord(String sql) {
        Matcher leading = LEADING.matcher(sql);
        int start = leading.lookingAt() ? leading.end() : 0;
        Matcher word = WORD.matcher(sql).region(start, sql.length());
        return word.lookingAt() ? word.group().toUpperCase(Locale.ROOT) : "";
    }

    private static StatementEffect distributed(String sql) {
        Matcher verb = XA.matcher(sql);
        return switch (verb.matches() ? verb.group(1).toUpperCase(Locale.ROOT) : "") {
            case "COMMIT" -> XA_COMMIT;
            case "ROLLBACK" -> XA_ROLLBACK;
            default -> NONE;
        };
    }

    /** Returns whether a statement may name a table or a database. */
    static boolean mayName(String sql, String name) {
        boolean plain = name.chars().allMatch(c -> c < 128 && c != '`' && c != '"');
        // The text may be in another character set than the one that it is read in.
        if (!plain || sql.indexOf('\uFFFD') >= 0 || sql.length() >= MOST_BYTES) {
            return true;
        }
        String there = sql.toLowerCase(Locale.ROOT);
        String wanted = name.toLowerCase(Locale.ROOT);
        for (int at = there.indexOf(wanted); at >= 0; at = there.indexOf(wanted, at + 1)) {
            if (!isInWord(there, at - 1) && !isInWord(there, at + wanted.length())) {
                return true;
            }
        }
        return false;
    }

    private static boolean isInWord(String text, int at) {
        if (at < 0 || at >= text.length()) {
            return false;
        }
        char c = text.charAt(at);
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '$';
    }
}
