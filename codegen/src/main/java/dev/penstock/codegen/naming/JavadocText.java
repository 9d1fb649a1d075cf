package dev.penstock.codegen.naming;

/** Comments of a database as text of Javadoc: HTML in lines of bounded width. */
public final class JavadocText {
    /** What is kept of a comment; MySQL's own limit is as much for a table, and half of it for a column. */
    public static final int MAX_CHARACTERS = 2048;

    private static final int WIDTH = 120;
    private static final char NEXT_LINE = 0x85;
    private static final int REPLACEMENT = 0xFFFD;

    private JavadocText() {}

    /** A comment without space around it, cut behind a character where it is too long; empty where it says nothing. */
    public static String bounded(String comment) {
        String text = comment.replace(NEXT_LINE, '\n').strip();
        if (text.length() <= MAX_CHARACTERS) {
            return text;
        }
        int end = MAX_CHARACTERS - 1;
        if (Character.isHighSurrogate(text.charAt(end - 1))) {
            end--;
        }
        return text.substring(0, end).stripTrailing() + "…";
    }

    /**
     * A comment in lines, which are broken between words; a word that is longer than a line has one of its own.
     *
     * @param first the beginning of the first line
     * @param margin the beginning of the others
     */
    public static String wrapped(String first, String margin, String comment) {
        StringBuilder text = new StringBuilder(first);
        int column = first.length();
        boolean lineHasWord = false;
        for (String word : escaped(comment).split(" ", -1)) {
            if (word.isEmpty()) {
                continue;
            }
            boolean fits = column + (lineHasWord ? 1 : 0) + word.length() <= WIDTH;
            if (!fits && (lineHasWord || column > margin.length())) {
                text.setLength(text.toString().stripTrailing().length());
                text.append('\n').append(margin);
                column = margin.length();
                lineHasWord = false;
            }
            text.append(lineHasWord ? " " : "").append(word);
            column += word.length() + (lineHasWord ? 1 : 0);
            lineHasWord = true;
        }
        return text.toString();
    }

    /** As HTML, with spaces for all white space. */
    private static String escaped(String comment) {
        StringBuilder html = new StringBuilder();
        comment.codePoints()
                .forEach(point -> {
                    if (Character.isWhitespace(point)) {
                        html.append(' ');
                    } else if (Character.isISOControl(point) || isSurrogate(point)) {
                        html.appendCodePoint(REPLACEMENT);
                    } else if ("<>&@{}*\\".indexOf(point) >= 0 || JavaText.isInvisible(point)) {
                        // Neither markup nor a tag, no end of the comment, no escape of Unicode.
                        html.append("&#").append(point).append(';');
                    } else {
                        html.appendCodePoint(point);
                    }
                });
        return html.toString();
    }

    private static boolean isSurrogate(int point) {
        return point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE;
    }
}
