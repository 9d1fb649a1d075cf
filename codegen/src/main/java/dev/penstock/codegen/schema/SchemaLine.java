package dev.penstock.codegen.schema;

import dev.penstock.codegen.naming.Words;
import dev.penstock.codegen.problem.CodegenException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One line of a schema file, read word by word. */
final class SchemaLine {
    private record Word(String text, boolean quoted) {}

    private final String place;
    private final List<Word> words = new ArrayList<>();
    private String comment = "";
    private int next;

    SchemaLine(String line, String place) {
        this.place = place;
        int i = 0;
        while (i < line.length()) {
            char c = line.charAt(i);
            if (Character.isWhitespace(c)) {
                i++;
            } else if (c == '#') {
                comment = line.substring(i).strip();
                break;
            } else if (c == '"') {
                i = quoted(line, i + 1);
            } else if (c == ',' || c == '(' || c == ')') {
                words.add(new Word(String.valueOf(c), false));
                i++;
            } else {
                int end = i;
                while (end < line.length() && !isEnd(line.charAt(end))) {
                    end++;
                }
                words.add(new Word(line.substring(i, end), false));
                i = end;
            }
        }
    }

    private static boolean isEnd(char c) {
        return Character.isWhitespace(c) || "#\",()".indexOf(c) >= 0;
    }

    private int quoted(String line, int start) {
        StringBuilder text = new StringBuilder();
        int i = start;
        while (i < line.length() && line.charAt(i) != '"') {
            char c = line.charAt(i++);
            if (c != '\\') {
                text.append(c);
                continue;
            }
            char escaped = i < line.length() ? line.charAt(i++) : ' ';
            switch (escaped) {
                case '"', '\\' -> text.append(escaped);
                case 'n' -> text.append('\n');
                case 'r' -> text.append('\r');
                case 't' -> text.append('\t');
                case 'u' -> {
                    String digits = line.substring(i, Math.min(i + 4, line.length()));
                    if (!digits.matches("[0-9a-fA-F]{4}")) {
                        throw error("\"\\u" + digits + "\" needs four hexadecimal digits");
                    }
                    text.append((char) Integer.parseInt(digits, 16));
                    i += 4;
                }
                default ->
                        throw error(
                                "\"\\" + escaped + "\" means nothing: write a backslash as two");
            }
        }
        if (i >= line.length()) {
            throw error("a quote is not closed: end the text with another \"");
        }
        words.add(new Word(text.toString(), true));
        return i + 1;
    }

    CodegenException error(String what) {
        return new CodegenException(place + ": " + what);
    }

    /** The comment at the end of the line, from its # on; empty where there is none. */
    String comment() {
        return comment;
    }

    boolean isOver() {
        return next >= words.size();
    }

    /** Whether the next word is this one of the format; goes beyond it if so. */
    boolean accept(String word) {
        if (isOver() || words.get(next).quoted() || !words.get(next).text().equals(word)) {
            return false;
        }
        next++;
        return true;
    }

    int mark() {
        return next;
    }

    void reset(int mark) {
        next = mark;
    }

    void expect(String word) {
        if (!accept(word)) {
            throw error("expected \"" + word + "\", found " + found());
        }
    }

    void expectEnd() {
        if (!isOver()) {
            throw error("expected the end of the line, found " + found() + ": remove it");
        }
    }

    private String found() {
        return isOver() ? "the end of the line" : "\"" + words.get(next).text() + "\"";
    }

    /** The next word if it is in quotes. */
    @Nullable String quotedOrNull() {
        return !isOver() && words.get(next).quoted() ? words.get(next++).text() : null;
    }

    /** A name or text: in quotes, or no word of the format. */
    String name(String what) {
        if (!isOver()) {
            Word word = words.get(next);
            if (word.quoted() || SchemaText.isPlain(word.text())) {
                next++;
                return word.text();
            }
        }
        String remedy =
                isOver()
                        ? ""
                        : ": a name that is a word of this format, or has other characters than letters, digits and _,"
                                + " needs quotes";
        throw error("expected " + what + ", found " + found() + remedy);
    }

    List<String> names(String what) {
        List<String> names = new ArrayList<>();
        do {
            names.add(name(what));
        } while (accept(","));
        return names;
    }

    /** A word of the format, which is none of a fixed few. */
    String word(String what) {
        if (isOver() || words.get(next).quoted()) {
            throw error("expected " + what + ", found " + found());
        }
        return words.get(next++).text();
    }

    /** A name in Java, after {@code as}. */
    String javaName() {
        String name = word("a name in Java");
        if (!Words.isIdentifier(name)) {
            throw error("\"" + name + "\" can't be a name in Java: choose another");
        }
        return name;
    }

    /** The name in Java where {@code as} comes next, else an empty one. */
    String optionalJavaName() {
        return accept("as") ? javaName() : "";
    }
}
