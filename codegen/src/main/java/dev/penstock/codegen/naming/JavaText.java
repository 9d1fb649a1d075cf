package dev.penstock.codegen.naming;

import java.util.List;
import java.util.Locale;

/** Parts of Java's source: literals, comments, lists that are broken into lines. */
public final class JavaText {
    private static final int WIDTH = 100;

    private JavaText() {}

    /** A string literal. */
    public static String literal(String text) {
        StringBuilder literal = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> literal.append("\\\"");
                case '\\' -> literal.append("\\\\");
                case '\n' -> literal.append("\\n");
                case '\r' -> literal.append("\\r");
                case '\t' -> literal.append("\\t");
                default -> {
                    if (isInvisible(c) || isLoneSurrogate(text, i)) {
                        literal.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
                    } else {
                        literal.append(c);
                    }
                }
            }
        }
        return literal.append('"').toString();
    }

    /** Half a character, which no file can hold. */
    public static boolean isLoneSurrogate(String text, int index) {
        char c = text.charAt(index);
        if (Character.isHighSurrogate(c)) {
            return index + 1 == text.length() || !Character.isLowSurrogate(text.charAt(index + 1));
        }
        return Character.isLowSurrogate(c)
                && (index == 0 || !Character.isHighSurrogate(text.charAt(index - 1)));
    }

    /** What a reader could not see, or would see elsewhere. */
    static boolean isInvisible(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED ->
                    true;
            default -> false;
        };
    }

    /** Text as code in a Javadoc comment. */
    public static String code(String text) {
        StringBuilder code = new StringBuilder("<code>");
        // A blank name would be an empty tag.
        (text.isBlank() ? "(blank)" : text)
                .codePoints()
                .forEach(point -> {
                    boolean plain =
                            Character.isLetterOrDigit(point)
                                    || " _(),.'-+:;=$%".indexOf(point) >= 0;
                    if (plain) {
                        code.appendCodePoint(point);
                    } else {
                        code.append("&#").append(isNoCharacter(point) ? 0xFFFD : point).append(';');
                    }
                });
        return code.append("</code>").toString();
    }

    private static boolean isNoCharacter(int point) {
        return point < 32 || (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE);
    }

    /** Text in a comment of one line. */
    public static String comment(String text) {
        StringBuilder comment = new StringBuilder();
        text.codePoints()
                .map(point ->
                        point == '\\'
                                        || Character.isISOControl(point)
                                        || point == 0x2028
                                        || point == 0x2029
                                ? '?'
                                : point)
                .forEach(comment::appendCodePoint);
        return comment.toString();
    }

    /**
     * A call: in one line where it fits, else its arguments below it, as many in a line as fit.
     *
     * @param indent how far the statement is indented
     */
    public static String call(String head, List<String> arguments, String tail, int indent) {
        String line = head + "(" + String.join(", ", arguments) + ")" + tail;
        if (indent + line.length() <= WIDTH && line.indexOf('\n') < 0) {
            return line;
        }
        StringBuilder text = new StringBuilder(head).append("(");
        String margin = "\n" + " ".repeat(indent + 8);
        int column = WIDTH;
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i) + (i + 1 < arguments.size() ? "," : ")" + tail);
            int length = argument.length();
            if (column + 1 + length > WIDTH) {
                text.append(margin);
                column = indent + 8;
            } else {
                text.append(' ');
                column++;
            }
            text.append(argument);
            column += length;
        }
        return text.toString();
    }
}
