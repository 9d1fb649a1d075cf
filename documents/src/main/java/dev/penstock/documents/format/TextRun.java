package dev.penstock.documents.format;

import dev.penstock.documents.buffer.Bytes;
import dev.penstock.documents.buffer.Rope;
import dev.penstock.documents.buffer.Scratch;
import java.nio.CharBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The text since the last node that is none: white space as it is until something else comes, the rest as JSON. */
final class TextRun {
    /** A line feed and a thousand letters, which is what readers take. */
    private static final int LONGEST_INDENTATION = 1_001;

    private final Rope content;
    private boolean isPresent;
    private boolean isBlank;
    private boolean isLiteral;
    private char[] blank = new char[128];
    private int blankLength;

    TextRun(Scratch scratch) {
        content = new Rope(scratch);
    }

    boolean isPresent() {
        return isPresent;
    }

    /** Returns whether all of it is white space. */
    boolean isBlank() {
        return isBlank;
    }

    char[] blank() {
        return blank;
    }

    int blankLength() {
        return blankLength;
    }

    /** Adds characters; if typed, what can be a number or boolean of JSON becomes one. */
    void add(char[] text, int from, int length, boolean isTyped) {
        boolean onlySpace = isBlank(text, from, length);
        if (onlySpace && (!isPresent || isBlank)) {
            addBlank(text, from, length);
        } else {
            isLiteral =
                    isTyped && !isPresent && Typed.isLiteral(CharBuffer.wrap(text, from, length));
            if (isPresent && isBlank) {
                content.escape(blank, 0, blankLength);
            }
            content.escape(text, from, length);
            isBlank = false;
            blankLength = 0;
        }
        isPresent = true;
    }

    private static boolean isBlank(char[] text, int from, int length) {
        for (int i = from; i < from + length; i++) {
            if (!Space.isSpace(text[i])) {
                return false;
            }
        }
        return true;
    }

    private void addBlank(char[] text, int from, int length) {
        isBlank = true;
        int needed = blankLength + length;
        if (needed > blank.length) {
            blank = Arrays.copyOf(blank, Math.max(needed, blank.length * 2));
        }
        System.arraycopy(text, from, blank, blankLength, length);
        blankLength = needed;
    }

    void clear() {
        isPresent = false;
        blankLength = 0;
    }

    /** Writes it as a value of JSON. */
    void writeTo(Bytes target) {
        if (!isLiteral || isBlank) {
            target.put('"');
        }
        if (isBlank) {
            target.escape(blank, 0, blankLength);
        } else {
            target.take(content);
        }
        if (!isLiteral || isBlank) {
            target.put('"');
        }
        isLiteral = false;
    }

    /** Returns the indentation of one level where the white space before the root's first child gives one. */
    @Nullable String indentation() {
        if (blankLength == 0 || blankLength > LONGEST_INDENTATION || blank[0] != '\n') {
            return null;
        }
        for (int i = 1; i < blankLength; i++) {
            if (blank[i] != ' ' && blank[i] != '\t') {
                return null;
            }
        }
        return new String(blank, 1, blankLength - 1);
    }

    /** Returns whether it is a line feed and the unit as often as the level says. */
    boolean isIndentation(@Nullable String unit, int level) {
        if (unit == null || blankLength != 1 + (long) level * unit.length() || blank[0] != '\n') {
            return false;
        }
        for (int i = 1, at = 0; i < blankLength; i++) {
            if (blank[i] != unit.charAt(at)) {
                return false;
            }
            at = at + 1 == unit.length() ? 0 : at + 1;
        }
        return true;
    }

    void spill(int least) {
        if (content.inMemory() > least) {
            content.spill();
        }
    }
}
