package dev.penstock.snapshot.rows;

import dev.penstock.query.Values;
import java.util.regex.Pattern;

/**
 * A text that is in all that a regular expression matches, so that texts without it need not be matched: the longest of
 * its characters that stand by themselves, one after the other, outside of groups and alternatives. It reads the
 * expression from the beginning to its end, and knows of no such text where there is something that it does not read.
 */
final class RequiredText {
    /** The flags with which an expression is read: they change neither what a character stands for nor the syntax. */
    private static final int READ_FLAGS = Pattern.DOTALL | Pattern.MULTILINE | Pattern.UNIX_LINES;

    /** Letters that after a backslash stand for a place or a class of characters, and take nothing of what follows. */
    private static final String PLAIN_ESCAPES = "dDwWsShHvVRAzZGbB";

    /** Letters and digits that after a backslash take nothing of what follows that could be syntax. */
    private static final String SKIPPED_ESCAPES = PLAIN_ESCAPES + "0123456789tnrfaexupPNkX";

    private final String expression;
    private final StringBuilder run = new StringBuilder();
    private String longest = "";
    private int at;

    private RequiredText(String expression) {
        this.expression = expression;
    }

    /** Returns it; empty where there is none, or it is not known. */
    static String of(Pattern pattern) {
        if ((pattern.flags() & ~READ_FLAGS) != 0) {
            return "";
        }
        RequiredText required = new RequiredText(pattern.pattern());
        return required.isRead() && !Values.hasHalfPair(required.longest) ? required.longest : "";
    }

    /** Reads the expression; false where it can't. */
    private boolean isRead() {
        while (at < expression.length()) {
            char next = expression.charAt(at);
            switch (next) {
                case '|', ')', ']', '{', '}', '?', '*', '+' -> {
                    return false;
                }
                case '(' -> {
                    endRun();
                    if (!isGroupSkipped()) {
                        return false;
                    }
                }
                case '[' -> {
                    endRun();
                    if (!isClassSkipped()) {
                        return false;
                    }
                }
                case '.', '^', '$' -> {
                    endRun();
                    at++;
                }
                case '\\' -> {
                    if (!isEscapeRead()) {
                        return false;
                    }
                }
                default -> {
                    run.append(next);
                    at++;
                }
            }
            if (!isQuantifierRead()) {
                return false;
            }
        }
        endRun();
        return true;
    }

    private void endRun() {
        if (run.length() > longest.length()) {
            longest = run.toString();
        }
        run.setLength(0);
    }

    private boolean isEscapeRead() {
        if (at + 1 == expression.length()) {
            return false;
        }
        char escaped = expression.charAt(at + 1);
        boolean isWord = isWord(escaped);
        if (isWord && PLAIN_ESCAPES.indexOf(escaped) < 0) {
            return false;
        }
        at += 2;
        if (isWord) {
            endRun();
        } else {
            run.append(escaped);
        }
        return true;
    }

    /** Reads what says how often the character, class or group before it comes, if anything does. */
    private boolean isQuantifierRead() {
        if (at == expression.length()) {
            return true;
        }
        switch (expression.charAt(at)) {
            case '?', '*' -> {
                withoutLast();
                at++;
            }
            case '+' -> {
                endRun();
                at++;
            }
            case '{' -> {
                int end = expression.indexOf('}', at);
                if (end < 0) {
                    return false;
                }
                withoutLast();
                at = end + 1;
            }
            default -> {
                return true;
            }
        }
        // Reluctant or possessive.
        if (at < expression.length() && "?+".indexOf(expression.charAt(at)) >= 0) {
            at++;
        }
        return true;
    }

    /** Ends the run before its last character, which may come never or more than once. */
    private void withoutLast() {
        if (!run.isEmpty()) {
            run.setLength(run.offsetByCodePoints(run.length(), -1));
        }
        endRun();
    }

    /** Goes behind the group that begins here. */
    private boolean isGroupSkipped() {
        int depth = 0;
        do {
            if (at >= expression.length()) {
                return false;
            }
            switch (expression.charAt(at)) {
                case '(' -> {
                    // Groups with a meaning of their own may change that of what follows.
                    if (expression.startsWith("(?", at) && !expression.startsWith("(?:", at)) {
                        return false;
                    }
                    depth++;
                    at++;
                }
                case ')' -> {
                    depth--;
                    at++;
                }
                case '[' -> {
                    if (!isClassSkipped()) {
                        return false;
                    }
                }
                case '\\' -> {
                    if (!isEscapeSkipped()) {
                        return false;
                    }
                }
                default -> at++;
            }
        } while (depth > 0);
        return true;
    }

    /** Goes behind the class of characters that begins here. */
    private boolean isClassSkipped() {
        int depth = 0;
        do {
            if (at >= expression.length()) {
                return false;
            }
            switch (expression.charAt(at)) {
                case '[' -> {
                    depth++;
                    at += expression.startsWith("[^", at) ? 2 : 1;
                    // Here it would be a character.
                    if (expression.startsWith("]", at)) {
                        return false;
                    }
                }
                case ']' -> {
                    depth--;
                    at++;
                }
                case '\\' -> {
                    if (!isEscapeSkipped()) {
                        return false;
                    }
                }
                default -> at++;
            }
        } while (depth > 0);
        return true;
    }

    /** Goes behind a backslash and its character within a group or class; false where it may take more than that. */
    private boolean isEscapeSkipped() {
        if (at + 1 == expression.length()) {
            return false;
        }
        char escaped = expression.charAt(at + 1);
        at += 2;
        return !isWord(escaped) || SKIPPED_ESCAPES.indexOf(escaped) >= 0;
    }

    private static boolean isWord(char escaped) {
        return escaped < 128 && Character.isLetterOrDigit(escaped);
    }
}
