package dev.penstock.query.sql.statement;

import dev.penstock.query.Predicate;
import dev.penstock.query.Predicate.TextOperation;
import java.util.HashMap;
import java.util.Map;

/**
 * A writer of regular expressions that match a text where {@link String#equalsIgnoreCase} would. No database folds case
 * as Java does; but all can look for one of a few characters at each place. What is written is understood alike by
 * Java, PCRE, ICU and PostgreSQL.
 */
public final class CaseVariants {
    /**
     * How long a text may be. A database compiles the expression, which has a class of characters at nearly each place;
     * of a hundred thousand such it says that they are too many, or compiles for minutes.
     */
    public static final int MAX_LENGTH = 200;

    private CaseVariants() {}

    /**
     * Returns a condition that a text meets which meets one on a longer text ignoring case: its first characters, or
     * for an end its last, are of the longest length that there is.
     */
    public static Predicate.Text shortened(Predicate.Text text) {
        String all = text.value();
        boolean isEnd = text.operation() == TextOperation.ENDS_WITH;
        int start = isEnd ? all.length() - MAX_LENGTH : 0;
        int end = start + MAX_LENGTH;
        if (isEnd && Character.isLowSurrogate(all.charAt(start))) {
            start++;
        } else if (!isEnd && Character.isHighSurrogate(all.charAt(end - 1))) {
            end--;
        }
        TextOperation operation =
                text.operation() == TextOperation.EQUAL
                        ? TextOperation.STARTS_WITH
                        : text.operation();
        return new Predicate.Text(text.column(), operation, all.substring(start, end), true);
    }

    /** A table of all characters that fold to the same one, for those that are not alone in that. */
    private static final class Holder {
        static final Map<Integer, String> BY_FOLD = new HashMap<>();

        static {
            for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
                if (c != fold(c)) {
                    String variant = Character.toString(c);
                    BY_FOLD.merge(
                            fold(c), Character.toString(fold(c)) + variant, (a, _) -> a + variant);
                }
            }
        }
    }

    private static int fold(int c) {
        return Character.toLowerCase(Character.toUpperCase(c));
    }

    /** Returns the expression that finds the text. {@code end} is how a database writes the very end of a text. */
    public static String expression(TextOperation operation, String text, String end) {
        boolean atStart =
                switch (operation) {
                    case STARTS_WITH, EQUAL -> true;
                    case ENDS_WITH, CONTAINS -> false;
                };
        boolean atEnd =
                switch (operation) {
                    case ENDS_WITH, EQUAL -> true;
                    case STARTS_WITH, CONTAINS -> false;
                };
        StringBuilder expression = new StringBuilder(text.length() * 4 + 4);
        // An empty expression is an error for some.
        expression.append(atStart || (text.isEmpty() && !atEnd) ? "\\A" : "");
        text.codePoints().forEach(c -> append(expression, c));
        return expression.append(atEnd ? end : "").toString();
    }

    private static void append(StringBuilder expression, int c) {
        String variants = Holder.BY_FOLD.get(fold(c));
        if (variants != null) {
            expression.append('[').append(variants).append(']');
        } else {
            boolean isPunctuation = c < 128 && c > ' ' && !Character.isLetterOrDigit(c);
            expression.append(isPunctuation ? "\\" : "").appendCodePoint(c);
        }
    }
}
